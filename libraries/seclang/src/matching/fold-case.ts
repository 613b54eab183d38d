/** A–Z as a–z, nothing else: bytes above 127 have no case here. */
export function foldCase(value: string): string {
  if (!/[A-Z]/.test(value)) return value
  if (hasHighCapitals(value)) return value.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return value.toLowerCase()
}

/** What JavaScript would fold as well: À to Þ. */
function hasHighCapitals(value: string): boolean {
  return value.length >= longLength ? !isAscii(value) : /[\xc0-\xde]/.test(value)
}

/** From here on one native pass is quicker than an expression. */
const longLength = 256

/** In UTF-8, only ASCII has one byte for each character. */
function isAscii(value: string): boolean {
  return Buffer.byteLength(value) === value.length
}
