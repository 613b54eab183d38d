import type { InjectionDetector } from '@palisade/seclang'
import { startsCommands } from './shell-words.ts'

/** Sorts of attacks that rules look for by words and patterns, and that ordinary text is mistaken for. */
export type MistakenFor = 'sqli' | 'xss' | 'rce' | 'php' | 'lfi'

/** Longer texts are not looked at. In characters. */
const lengthMax = 20_000

/** Less is no text but a name or a command. */
const wordsMin = 3

/** A word with what stands around words in sentences: quotation marks, one bracket, marks at its end. */
const word = /^([("“„]?)\p{L}{1,30}(?:['’-]\p{L}{1,30}){0,3}([)"”“]?)[.,:;!?]{0,3}([)"”]?)$/u

/** Dates, times, amounts and lists of digits. */
const number = /^\(?\d{1,9}(?:[.,:/-]\d{1,4}){0,4}%?\)?[.,:;!?]?$/

const address = /^[\w.-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}[.,;]?$/

/** Between words and by itself. */
const loneMarks = new Set(['&', '-', '–', '—', '…'])

/** An element that does nothing: no value of an attribute can be anything. */
const bareTag = /<\/?([a-z][a-z0-9]{0,9})(?:\s{1,9}[a-z]{1,20}){0,3}\s{0,9}\/?>/gi

/** Elements that run nothing, load nothing, and do not swallow what follows them. */
const harmlessElements = new Set(
  'a abbr b big blockquote body br caption center cite code dd del div dl dt em form h1 h2 h3 h4 h5 h6 head hr html i input ins kbd label legend li mark ol p pre q s samp small span strike strong sub sup table tbody td tfoot th thead tr tt u ul var'.split(
    ' ',
  ),
)

/** An attribute whose value is one word: as a script it calls nothing, as an address it stays on the site. */
const wordAttribute = /^[a-z-]{1,20}="[A-Za-z0-9_-]{0,40}"[.,;]?$/i

/**
 * Whether a text is nothing but words, numbers and the marks of sentences, so that it cannot be an attack of this sort, however it is
 * used; the detector has to agree. Of HTML it may have elements that do nothing. Every part of the text counts, so that nothing can be
 * hidden among words.
 *
 * @param value a byte string, as it came
 * @param detector such as libinjection; no text is ordinary without one
 */
export function isOrdinaryText(
  value: string,
  mistakenFor: MistakenFor,
  detector: InjectionDetector | undefined,
): boolean {
  if (detector === undefined || detector.unavailable !== undefined) return false
  if (mistakenFor === 'lfi' || value.length > lengthMax) return false
  const text = Buffer.from(value, 'latin1').toString('utf8')
  const hasMarkup = mistakenFor === 'xss' && text.includes('<')
  const plain = hasMarkup ? withoutHarmlessTags(text) : text
  if (plain === undefined || /\ufffd|[\p{Cc}--[\t\r\n]]/v.test(plain)) return false
  const words = wordsIn(plain, { withAttributes: hasMarkup })
  if (words === undefined || words < (hasMarkup ? 1 : wordsMin)) return false
  if (mistakenFor === 'rce' && startsCommands(plain)) return false
  return [value, ...value.split(/[\r\n]+/)].every((text) => isNoInjection(text, detector))
}

/** Undefined where there is other markup. */
function withoutHarmlessTags(text: string): string | undefined {
  let isHarmless = true
  const rest = text.replace(bareTag, (_, name: string) => {
    isHarmless &&= harmlessElements.has(name.toLowerCase())
    return ' '
  })
  return isHarmless ? rest : undefined
}

/** How many words there are; undefined where something is neither a word nor a number nor a mark. */
function wordsIn(text: string, { withAttributes }: { readonly withAttributes: boolean }): number | undefined {
  let words = 0
  let isQuoted = false
  for (const token of text.split(/\s+/)) {
    if (token === '' || loneMarks.has(token) || number.test(token) || address.test(token)) continue
    if (withAttributes && wordAttribute.test(token)) continue
    const match = word.exec(token)
    if (match === null) return undefined
    const [, before, after, last] = match
    if (before === '"') {
      if (isQuoted) return undefined
      isQuoted = true
    }
    if (after === '"' || last === '"') {
      if (!isQuoted || after === last) return undefined
      isQuoted = false
    }
    words++
  }
  return isQuoted ? undefined : words
}

function isNoInjection(text: string, detector: InjectionDetector): boolean {
  return detector.detectSqli(text) === undefined && !detector.detectXss(text)
}
