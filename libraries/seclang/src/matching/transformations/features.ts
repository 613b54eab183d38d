/** Kinds of characters that transformations act on. */
export const features = {
  /** Every value has it, the empty one too. */
  any: 1 << 0,
  upperCase: 1 << 1,
  lowerCase: 1 << 2,
  /** Space, tab, line feed, vertical tab, form feed, carriage return and the no-break space. */
  blank: 1 << 3,
  nul: 1 << 4,
  percent: 1 << 5,
  plus: 1 << 6,
  ampersand: 1 << 7,
  backslash: 1 << 8,
  slash: 1 << 9,
  dot: 1 << 10,
  /** Above 127. */
  high: 1 << 11,
  /** `"`, `'` and `^` */
  quote: 1 << 12,
  /** `,` and `;` */
  separator: 1 << 13,
  star: 1 << 14,
  hyphen: 1 << 15,
  hash: 1 << 16,
  zero: 1 << 17,
} as const

const singles: ReadonlyMap<string, number> = new Map([
  ['\0', features.nul],
  ['%', features.percent],
  ['+', features.plus],
  ['&', features.ampersand],
  ['\\', features.backslash],
  ['/', features.slash],
  ['.', features.dot],
  ['*', features.star],
  ['-', features.hyphen],
  ['#', features.hash],
  ['0', features.zero],
])

const featuresOfByte = Int32Array.from({ length: 256 }, (_, byte) => bitsOf(byte, String.fromCharCode(byte)))

function bitsOf(byte: number, character: string): number {
  let bits = features.any
  if (/[A-Z]/.test(character)) bits |= features.upperCase
  if (/[a-z]/.test(character)) bits |= features.lowerCase
  if (/[\t-\r \xa0]/.test(character)) bits |= features.blank
  if (byte > 0x7f) bits |= features.high
  if (`"'^`.includes(character)) bits |= features.quote
  if (',;'.includes(character)) bits |= features.separator
  return bits | (singles.get(character) ?? 0)
}

/** Which kinds of characters a byte string has, or a part of it, as a bit mask; one pass over it. */
export function featuresOf(value: string, from = 0, to = value.length): number {
  let bits: number = features.any
  for (let at = from; at < to; at++) bits |= featuresOfByte[value.charCodeAt(at) & 0xff] ?? 0
  return bits
}
