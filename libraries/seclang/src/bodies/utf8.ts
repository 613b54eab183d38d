/** The UTF-8 bytes of a JavaScript string, as a byte string. */
export function utf8ByteString(text: string): string {
  // Most text is ASCII, which is its own byte string.
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}
