/**
 * Splits a directive into words as Apache does. A word may stand in double or single quotes. In quotes a backslash takes
 * away the meaning of the quote and of a backslash, outside of quotes that of a backslash; any other backslash stays.
 *
 * @throws {Error} when a quote is never closed
 */
export function splitWords(text: string): readonly string[] {
  const words: string[] = []
  let at = skipBlanks(text, 0)
  while (at < text.length) {
    const quote = text[at] === '"' || text[at] === "'" ? text[at] : undefined
    const start = quote === undefined ? at : at + 1
    const end = endOfWord(text, start, quote)
    if (quote !== undefined && end === text.length) throw new Error(`the quote ${quote} is not closed`)
    words.push(unescapeWord(text.slice(start, end), quote))
    at = skipBlanks(text, quote === undefined ? end : end + 1)
  }
  return words
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text[at])) at++
  return at
}

function endOfWord(text: string, start: number, quote: string | undefined): number {
  if (quote === undefined) {
    let at = start
    while (at < text.length && !isBlank(text[at])) at += isEscape(text, at, quote) ? 2 : 1
    return Math.min(at, text.length)
  }
  let end = text.indexOf(quote, start)
  while (end >= 0 && backslashesBefore(text, end, start) % 2 === 1) end = text.indexOf(quote, end + 1)
  return end < 0 ? text.length : end
}

function backslashesBefore(text: string, end: number, start: number): number {
  let at = end
  while (at > start && text[at - 1] === '\\') at--
  return end - at
}

function unescapeWord(word: string, quote: string | undefined): string {
  if (!word.includes('\\')) return word
  let plain = ''
  for (let at = 0; at < word.length; at++) {
    if (isEscape(word, at, quote)) at++
    plain += word[at]
  }
  return plain
}

function isEscape(text: string, at: number, quote: string | undefined): boolean {
  if (text[at] !== '\\') return false
  const next = text[at + 1]
  return next === '\\' || (quote !== undefined && next === quote)
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}
