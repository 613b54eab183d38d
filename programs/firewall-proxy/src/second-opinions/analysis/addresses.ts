import { withoutPercents } from '@palisade/seclang'
import { lengthMax } from './text.ts'

/** As a number or a name its colon is a mistake, PHP reads a label and a comment, and it ends no string: it has no marks of quotation. */
const address =
  /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:[/?#][^\s"'`\\<>\u02b9-\u02bc\u2018-\u201f\u2032\u2033\uff00-\uffef]*)?$/i

/** Nested addresses are taken apart so often. */
const depthMax = 3
const partsMax = 200

/** Letters, digits and marks that nothing but a sentence needs. */
const plainPart = /^(?!.*\.\.)[\w .,:@!*-]*$/

/** Whether a text is an address on the web, with no mark by which a statement could go on. */
export function isAddress(text: string): boolean {
  return address.test(text)
}

/**
 * Whether each part of an address is harmless once it is decoded: its path, and the names and values of its query. Marks between them are
 * no operators then.
 *
 * @param value a byte string
 * @param isHarmless judges a part
 */
export function hasHarmlessParts(value: string, isHarmless: (part: string) => boolean, depth = 0): boolean {
  if (value.length > lengthMax || depth > depthMax || !address.test(value)) return false
  const [path = '', ...queries] = value.split(/[?#]/)
  const parts = [path.replace(/^https?:\/\/[^/]*/i, ''), ...queries.join('&').split(/[&=]/)]
  if (parts.length > partsMax) return false
  return parts.every((part) => {
    const decoded = withoutPercents(part).replaceAll('+', ' ')
    if (plainPart.test(decoded)) return true
    if (hasHarmlessParts(decoded, isHarmless, depth + 1)) return true
    return isWithoutQuotes(decoded) && isHarmless(decoded)
  })
}

/** Marks of quotation stand in JSON only, whose strings are judged each. */
function isWithoutQuotes(part: string): boolean {
  return !/["'`\\]/.test(part) || /^\s*[[{]/.test(part)
}
