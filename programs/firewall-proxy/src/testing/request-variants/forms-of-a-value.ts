/** A value as the formats that applications read have it. */
export const escaped = (value: string) =>
  Array.from(value, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
export const json = (value: string) => JSON.stringify({ id: value })
export const xmlText = (value: string) =>
  value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/'/g, '&apos;')
export const xml = (value: string) => `<?xml version="1.0"?><q><id>${xmlText(value)}</id></q>`
export const form = (value: string) => `name=Ann&id=${encodeURIComponent(value)}`
export const percent = (value: string) =>
  Array.from(value, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
/** As Internet Explorer's `escape` writes it. */
export const percentU = (value: string) =>
  Array.from(value, (one) => `%u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
/** Marks in two bytes where one would do. */
export const overlong = (value: string) =>
  encodeURIComponent(value).replaceAll("'", `%c0%${(0x80 + "'".charCodeAt(0)).toString(16)}`)
export const wide = (text: string) => Buffer.from(text, 'utf16le')
/** UTF-32, little endian. */
export const fourBytes = (text: string) =>
  Buffer.concat(Array.from(text, (one) => Buffer.from(Uint32Array.of(one.codePointAt(0) ?? 0).buffer)))
export const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16()

export function ebcdic(text: string): Buffer {
  const blocks: readonly (readonly [string, number])[] = [
    ['abcdefghi', 0x81],
    ['jklmnopqr', 0x91],
    ['stuvwxyz', 0xa2],
    ['ABCDEFGHI', 0xc1],
    ['JKLMNOPQR', 0xd1],
    ['STUVWXYZ', 0xe2],
    ['0123456789', 0xf0],
  ]
  const marks: Readonly<Record<string, number>> = {
    ' ': 0x40,
    "'": 0x7d,
    ',': 0x6b,
    '-': 0x60,
    '<': 0x4c,
    '>': 0x6e,
    '?': 0x6f,
    '=': 0x7e,
    '"': 0x7f,
    '/': 0x61,
    '.': 0x4b,
    '{': 0xc0,
    '}': 0xd0,
    ':': 0x7a,
    '&': 0x50,
    ';': 0x5e,
    '%': 0x6c,
  }
  const code = (one: string) => {
    const [letters = '', first = 0] = blocks.find(([all]) => all.includes(one)) ?? []
    return letters === '' ? (marks[one] ?? 0x6f) : first + letters.indexOf(one)
  }
  return Buffer.from(Array.from(text, code))
}
