import { isUtf8 } from 'node:buffer'

/** The UTF-8 bytes of a JavaScript string, as a byte string. */
export function utf8ByteString(text: string): string {
  // Most text is ASCII, which is its own byte string.
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

/** Characters of ASCII, or one other character in its shortest form (RFC 3629). */
const wellFormed =
  /[\0-\x7f]+|[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}/y

/** What stands before the first byte that is no UTF-8; all of it where there is none. @param bytes a byte string */
export function beginningInUtf8(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes) || isUtf8(Buffer.from(bytes, 'latin1'))) return bytes
  let end = 0
  for (wellFormed.lastIndex = 0; wellFormed.test(bytes); ) end = wellFormed.lastIndex
  return bytes.slice(0, end)
}
