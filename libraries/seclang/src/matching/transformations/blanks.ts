/** What C calls space. */
const space = '[\\t-\\r ]'
const spaceOrNoBreakSpace = /[\t-\r \xa0]+/g

const leading = new RegExp(`^${space}+`)

/** Without the blanks, as C's `isspace` sees them, at the start. */
export function trimLeft(value: string): string {
  return value.replace(leading, '')
}

/** Goes from the end, because an expression that ends with `$` would try every run of blanks. */
export function trimRight(value: string): string {
  let end = value.length
  while (end > 0 && isSpace(value.charCodeAt(end - 1))) end--
  return value.slice(0, end)
}

/** Without the blanks, as C's `isspace` sees them, at both ends. */
export function trim(value: string): string {
  return trimRight(trimLeft(value))
}

/** C's `isspace` in the C locale. */
export function isSpace(byte: number): boolean {
  return (byte >= 0x09 && byte <= 0x0d) || byte === 0x20
}

/** Every run of blanks, the no-break space among them, becomes one space. */
export function compressWhitespace(value: string): string {
  return hasOnlySingleSpaces(value) ? value : value.replaceAll(spaceOrNoBreakSpace, ' ')
}

/** Most texts, of which nothing is to be compressed. */
function hasOnlySingleSpaces(value: string): boolean {
  return !/[\t-\r\xa0]| {2}/.test(value)
}

/** Without blanks anywhere, the no-break space (A0h) among them. */
export function removeWhitespace(value: string): string {
  return value.replaceAll(spaceOrNoBreakSpace, '')
}

/** Without the NUL bytes. */
export function removeNulls(value: string): string {
  return value.replaceAll('\0', '')
}

/** Each NUL byte becomes a space. */
export function replaceNulls(value: string): string {
  return value.replaceAll('\0', ' ')
}
