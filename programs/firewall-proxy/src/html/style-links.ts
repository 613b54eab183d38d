import type { Links } from './links.ts'

/** A string or an address may be this long, in bytes; whatever follows a longer one stays as it is. */
const tokenLimit = 1024 * 1024

const blanks = '[\\t\\n\\f\\r ]*'
/** To be read in one way only: where it could be read in two, each further one would double the time. */
const escaping =
  '\\\\(?:(?:[0-9a-f]{6}|[0-9a-f]{1,5}(?![0-9a-f]))(?:[\\t\\n\\f\\r ]|(?![\\t\\n\\f\\r ]))|[^0-9a-f])'
const inDoubleQuotes = `(?:[^"\\\\\\n]|${escaping})*`
const inSingleQuotes = `(?:[^'\\\\\\n]|${escaping})*`
const inQuotes = (name: string) =>
  `(?:"(?<${name}Double>${inDoubleQuotes})"|'(?<${name}Single>${inSingleQuotes})')`

/** What is behind `url(` and begins with no quote, up to a parenthesis: all of it is passed over when it is no address. */
const notQuoted = `(?!${blanks}["'])(?:[^)\\\\]|\\\\[\\s\\S])*`
/** What begins with a quote there and may not have come to its end. */
const openQuotes = `${blanks}(?:"${inDoubleQuotes}(?:"${blanks}|\\\\?)|'${inSingleQuotes}(?:'${blanks}|\\\\?))?`

/**
 * Comments and strings, which a line end ends as well, in which nothing is an address; what is one: `url(…)` and the string behind `@import`; and last what may
 * be the beginning of one of them at the end of a piece.
 */
const tokens = new RegExp(
  [
    '/\\*[\\s\\S]*?\\*/',
    `@import${blanks}${inQuotes('import')}`,
    `url\\(${blanks}(?:(?:${inQuotes('url')}|(?<plain>(?:[^"'()\\\\\\t\\n\\f\\r ]|${escaping})+))${blanks})?\\)`,
    `url\\(${notQuoted}\\)`,
    `"${inDoubleQuotes}(?:"|(?=\\n))`,
    `'${inSingleQuotes}(?:'|(?=\\n))`,
    `(?<open>(?:/(?:\\*[\\s\\S]*)?|@(?:i(?:m(?:p(?:o(?:r(?:t${blanks}(?:"[^"\\n]*|'[^'\\n]*)?)?)?)?)?)?)?|u(?:r(?:l(?:\\((?:${openQuotes}|${notQuoted}\\\\?))?)?)?|"${inDoubleQuotes}\\\\?|'${inSingleQuotes}\\\\?)$)`,
  ].join('|'),
  'gi',
)

/** Replaces the links of a style sheet, which may come in pieces. Texts are byte strings. */
export class StyleLinks {
  readonly #links: Links
  #rest = ''
  #isOver = false

  constructor(links: Links) {
    this.#links = links
  }

  /** @returns what can go on */
  transform(piece: string): string {
    const text = this.#rest + piece
    this.#rest = ''
    if (this.#isOver) return text
    return text.replace(tokens, (...match: unknown[]) => {
      const [whole, groups] = [String(match[0]), match.at(-1) as Readonly<Record<string, string | undefined>>]
      if (groups.open === undefined) return this.#replaced(whole, groups)
      this.#isOver = whole.length > tokenLimit
      if (this.#isOver) return whole
      this.#rest = whole
      return ''
    })
  }

  flush(): string {
    const rest = this.#rest
    this.#rest = ''
    return rest
  }

  #replaced(token: string, groups: Readonly<Record<string, string | undefined>>): string {
    const { importDouble, importSingle, urlDouble, urlSingle, plain } = groups
    const address = importDouble ?? importSingle ?? urlDouble ?? urlSingle ?? plain
    if (address === undefined || address === '') return token
    const replaced = this.#links.link(unescaped(address), 'link')
    // A function, since "$" has a meaning in replacements.
    return replaced === undefined ? token : token.replace(address, () => escaped(replaced))
  }
}

/** The text that is meant by one with escapes (CSS Syntax, section 4.3.7). */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(
    /\\(?:([0-9a-f]{1,6})[\t\n\f\r ]?|\n|([\s\S]))/gi,
    (_, code?: string, character?: string) =>
      code === undefined
        ? (character ?? '')
        : Buffer.from(String.fromCodePoint(codePoint(code))).toString('latin1'),
  )
}

function codePoint(hex: string): number {
  const code = Number.parseInt(hex, 16)
  return code === 0 || code > 0x10ffff ? 0xfffd : code
}

/** As it can stand in quotes and without them. */
function escaped(url: string): string {
  return url.replace(/["'()\\\t\n\f\r ]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)
}
