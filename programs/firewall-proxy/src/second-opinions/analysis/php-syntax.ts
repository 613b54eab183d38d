/** Words of PHP next to which a name may stand. */
const keywords = new Set(
  (
    'abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enddeclare endfor endforeach endif ' +
    'endswitch endwhile enum exit die extends final finally fn for foreach from function global goto if implements include include_once instanceof insteadof interface ' +
    'isset list match mixed namespace never new null or print private protected public readonly require require_once return static string int float bool void ' +
    'iterable object false true self parent switch throw trait try unset use var while xor yield eval type'
  ).split(' '),
)

/** Comments, names, quotation marks and whatever else there is. */
const piece =
  /(?<line>#(?!\[)[^\r\n]*|\/\/[^\r\n]*)|(?<name>[\p{L}_][\p{L}\p{M}\p{N}_]*)|(?<quote>['"`])|(?<blank>[ \t\r\n]+)|./gsu

/** What ends a comment or the code, and strings without quotation marks: they would hide a mistake. */
const hidesMistakes = /\/\*|\*\/|\?>|<<<|__halt_compiler/i

/** Where a text may stand in a program. */
type Start = 'code' | 'comment' | '"' | "'" | '`'

/**
 * Whether PHP reads nothing but a mistake in a text: two names next to each other, of which no grammar of it has any. It then runs nothing
 * of the whole. That has to be so for the text as code, behind the sign of a comment, and within quotation marks of all kinds; or the
 * text does not leave these.
 *
 * @param text without the sign of variables, which means something in strings, too
 */
export function isNoPhpCode(text: string): boolean {
  if (hidesMistakes.test(text)) return false
  return (['code', 'comment', '"', "'", '`'] as const).every((start) => hasMistake(text, start))
}

function hasMistake(text: string, start: Start): boolean {
  const codeStart = start === 'comment' ? endOfLine(text) : 0
  let quote: string | undefined = start === 'code' || start === 'comment' ? undefined : start
  let name: string | undefined
  let reachesCode = start === 'code' || start === 'comment'
  if (codeStart === text.length) return start !== 'code'
  let isBehindConst = false
  for (let at = codeStart; at < text.length; ) {
    if (quote !== undefined) {
      const end = endOfString(text, at, quote)
      if (end < 0) return !reachesCode
      at = end + 1
      quote = undefined
      name = undefined
      reachesCode = true
      continue
    }
    piece.lastIndex = at
    const { 0: found = '', groups = {} } = piece.exec(text) ?? {}
    if (found === '') return false
    at += found.length
    if (groups.name !== undefined) {
      // Behind CONST a type may stand before the name.
      const isKeyword = isBehindConst || keywords.has(found.toLowerCase())
      isBehindConst = found.toLowerCase() === 'const'
      if (name !== undefined && !isKeyword) return true
      name = isKeyword ? undefined : found
    } else if (groups.quote !== undefined) {
      quote = found
    } else if (groups.blank === undefined && groups.line === undefined) {
      name = undefined
    }
  }
  return false
}

function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at
  }
  return -1
}

function endOfLine(text: string): number {
  const end = text.search(/[\r\n]/)
  return end < 0 ? text.length : end
}
