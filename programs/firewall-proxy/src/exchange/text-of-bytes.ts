/** Bytes that came as a byte string, read as UTF-8 where they are. */
export function textOfBytes(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}
