/** A piece of a text, as a reader of SQL sees it. */
export interface SqlToken {
  readonly kind: 'word' | 'number' | 'quote' | 'comment' | 'mark' | 'end'
  /** Words in lower case. */
  readonly text: string
  /** Whether blanks stand before it. */
  readonly isApart: boolean
}

export const endToken: SqlToken = { kind: 'end', text: '', isApart: true }

/** What databases and drivers take for a quotation mark once they convert the text to another character set. */
const singleQuotes = /[\u2018\u2019\u201a\u201b\u2032\u02b9\u02bb\u02bc\u02c8\u0374\uff07]/g
const doubleQuotes = /[\u201c\u201d\u201e\u2033\u02ba\uff02]/g

/** In this order: what is longer comes first. Every choice begins with another character or ends at once. */
const piece =
  /(?<blank>\s+)|(?<comment>-{2,}|\/\*|\*\/|#)|(?<number>\d+(?:\.\d*)?(?:e\d+)?(?=union|x?or\b|and\b|div\b|like|order|group|having|limit|from|where|into|is\b|in\b|select|between)|0x[\da-f]+|\d+(?:\.\d+)?(?:e\d+)?(?![\p{L}\d_$]))|(?<word>[\p{L}\p{N}\p{M}_$]+)|(?<quote>['"`])|(?<mark>\|\||&&|<=>|<>|[<>!:]=|::|@@|.)/giu

/** The text with one spelling for each quotation mark and letter. */
export function plainSqlText(text: string): string {
  return text.replace(singleQuotes, "'").replace(doubleQuotes, '"').normalize('NFKC')
}

/** The pieces of a text without the blanks; an apostrophe within a word is a quote as well. */
export function sqlTokens(text: string): SqlToken[] {
  const tokens: SqlToken[] = []
  let isApart = true
  for (const { 0: found, groups = {} } of text.matchAll(piece)) {
    if (groups.blank !== undefined) {
      isApart = true
      continue
    }
    const kind = (['comment', 'number', 'word', 'quote'] as const).find((one) => groups[one] !== undefined)
    tokens.push({ kind: kind ?? 'mark', text: found.toLowerCase(), isApart })
    isApart = false
  }
  return tokens
}
