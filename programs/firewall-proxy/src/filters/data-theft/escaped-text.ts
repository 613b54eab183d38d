/** Ways to write a character by other ones; each a group of the expression that finds it. */
const escapes = [
  // A backslash that escapes a backslash, so that what follows is no escape.
  String.raw`\\\\`,
  // JSON and scripts (RFC 8259, section 7).
  String.raw`\\u00(?<json>[2-7][0-9a-f])`,
  // HTML and XML; browsers do without the semicolon.
  '&#x0{0,8}(?<hex>[0-9a-f]{1,6});?',
  '&#0{0,8}(?<decimal>[0-9]{1,7});?',
  '(?<blank>&nbsp;?)',
  // Addresses.
  '%(?<percent>[2-7][0-9a-f])',
  // The blanks and hyphens at which no line is broken, as the bytes of UTF-8 and as characters.
  String.raw`(?<narrow>\xc2?\xa0|\xe2\x80[\x87\x89\xaf]|[\u2007\u2009\u202f])`,
  String.raw`(?<dash>\xe2\x80[\x90-\x95]|[\u2010-\u2015])`,
].join('|')

const bodyEscapes = new RegExp(escapes, 'gi')

/** Forms write blanks as "+", and so do addresses and cookies. */
const headerEscapes = new RegExp(`${escapes}|(?<plus>\\+)`, 'gi')

/** The beginning of something that may become one of these. */
const unfinishedEscape =
  /(?:&(?:#x?[0-9a-f]{0,16}|n|nb|nbs|nbsp)?|\\(?:u[0-9a-f]{0,3})?|%[0-9a-f]?|\xc2|\xe2\x80?)$/i

/** The longest of these beginnings. */
const begunMax = 20

const blanks: ReadonlySet<number> = new Set([0xa0, 0x2007, 0x2009, 0x202f])

/** A text as its readers see it, and where each of its characters stands in what was written. */
export interface ReadableText {
  readonly text: string
  readonly source: string
  /** Where the character at a place begins in the source; also asked for the end. */
  sourceOf(place: number): number
}

/** Where the last character begins that is perhaps not complete yet; the length where all are. */
export function completeLength(source: string): number {
  const end = source.slice(-begunMax)
  const match = unfinishedEscape.exec(end)
  return match === null ? source.length : source.length - end.length + match.index
}

/**
 * Reads what stands in a text by other characters: references of HTML and XML, escapes of JSON, percent signs of addresses. No-break blanks
 * and hyphens count as plain ones. Each becomes one character, those beyond the Basic Multilingual Plane too.
 *
 * @param place a header also has "+" for a blank
 */
export function readableText(source: string, place: 'body' | 'header'): ReadableText {
  const expression = place === 'body' ? bodyEscapes : headerEscapes
  expression.lastIndex = 0
  if (!expression.test(source)) return { text: source, source, sourceOf: (at) => at }
  const starts = new Uint32Array(source.length + 1)
  let text = ''
  let copiedTo = 0
  const copyUntil = (end: number) => {
    for (let at = copiedTo; at < end; at++) starts[text.length + at - copiedTo] = at
    text += source.slice(copiedTo, end)
    copiedTo = end
  }
  expression.lastIndex = 0
  for (const { index, 0: written, groups = {} } of source.matchAll(expression)) {
    const character = characterOf(groups)
    if (character === undefined) continue
    copyUntil(index)
    starts[text.length] = index
    text += character
    copiedTo = index + written.length
  }
  copyUntil(source.length)
  starts[text.length] = source.length
  return { text, source, sourceOf: (at) => starts[at] ?? source.length }
}

function characterOf({
  json,
  hex,
  decimal,
  percent,
  ...others
}: Readonly<Record<string, string | undefined>>): string | undefined {
  const hexadecimal = json ?? hex ?? percent
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  if (!Number.isNaN(code)) return plainCharacter(code)
  if (others.dash !== undefined) return '-'
  return (others.blank ?? others.narrow ?? others.plus) ? ' ' : undefined
}

function plainCharacter(code: number): string {
  if (blanks.has(code)) return ' '
  if (code >= 0x2010 && code <= 0x2015) return '-'
  return code > 0 && code <= 0xffff ? String.fromCharCode(code) : '\ufffd'
}
