import { isAddress } from './addresses.ts'
import { endToken, type SqlToken } from './sql-tokens.ts'
import {
  clauseWords,
  comparisonWords,
  logicalWords,
  statementWords,
  wordsBehindStrings,
} from './sql-words.ts'
import { isCiphers, isMediaRanges } from './text.ts'

/** A database reads words with minus signs between them, and goes on with nothing. */
const wordsWithHyphens = /^\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+){1,40}(?:\.[a-z]{2,5})?$/u

/** What names of files and paths of OData have besides letters: no sign of a comment, and nothing that ends a statement. */
const nameWithMarks = /^(?!.*--)[\p{L}\p{N}\p{M} ._'’()[\],/!&+=$@-]{1,400}$/u

/** As "-- select --": words between dashes, of which a database reads a comment at most. */
const labelOfList = /^\s*-{1,4}\s*\p{L}+(?:\s\p{L}+){0,4}\s*-{1,4}\s*$/u

/** As charts and tables are asked for. */
const aggregate = /^(?:sum|avg|min|max|count)\((?:[a-z]\w{0,60}(?:\.\w{1,60})?|\*)\)$/i

/** What a visitor in the USA agreed to, as the IAB writes it: `1---`. */
const privacyOfVisitor = /^1[YN-]{3}$/

/**
 * What a rule of access is about, with an asterisk for all of a kind: `proj/*:env/*:flag/new-page`, `arn:aws:s3:::photos/*`; or all files of a folder, `path/to/css/*`. The comment that a
 * database may read stands behind a word that no operator and no number goes before, and ends no string.
 */
const resource =
  /^(?:arn:[a-z-]{1,20}:[a-z\d-]{0,40}:[a-z\d-]{0,40}:\d{0,20}:[\w.@=,+-]{1,200}(?:[:/][\w.@=,+-]{1,200}){0,16}(?:\/\*)?|[a-z]{2,20}\/(?:\*|[\w.-]{1,100})(?::[a-z]{2,20}\/(?:\*|[\w.-]{1,100})){1,8}|(?:[a-z][\w.@-]{0,60}\/){2,12}\*)$/i

/** Why a text is of a form that no statement has: an address, an aggregate, ciphers, a label, words with hyphens between them. */
export function whyNoStatement(text: string): string | undefined {
  if (isAddress(text)) return 'it is an address, which no statement goes on with'
  if (aggregate.test(text)) return 'it is an aggregate of a column'
  if (privacyOfVisitor.test(text)) return 'it is a code of privacy'
  if (isMediaRanges(text)) return 'it is a list of media types'
  if (isCiphers(text)) return 'it is ciphers in Base64'
  if (resource.test(text)) return 'it says which resources or files are meant, with an asterisk for all'
  if (labelOfList.test(text)) return 'it is the label of a list to choose from'
  if (wordsWithHyphens.test(text)) return 'it is words with hyphens between them, which no statement is'
  return undefined
}

/**
 * Whether a text is a name with quotation marks in it, such as `l'été (1).jpg` or `lists('Site Pages')`, the first of which ends no string
 * without a mistake.
 *
 * @param tokens those of the text
 */
export function isNameWithMark(text: string, tokens: readonly SqlToken[]): boolean {
  return nameWithMarks.test(text) && isMistakeBehindMark(tokens)
}

/** Whether the first quotation mark ends a string before a word, where databases read an operator or the end. */
function isMistakeBehindMark(tokens: readonly SqlToken[]): boolean {
  const first = tokens.findIndex(({ kind }) => kind === 'quote')
  const { kind, text } = tokens[first + 1] ?? endToken
  const next = tokens[first + 2] ?? endToken
  const isName =
    kind === 'word' &&
    ![logicalWords, comparisonWords, clauseWords, statementWords, wordsBehindStrings].some((words) =>
      words.has(text),
    )
  // One name could be what a column is called from there on.
  return first !== -1 && isName && (next.kind !== 'mark' || !/^[,=]$/.test(next.text))
}
