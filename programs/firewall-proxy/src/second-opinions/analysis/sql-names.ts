import { endToken, type SqlToken } from './sql-tokens.ts'
import {
  clauseWords,
  comparisonWords,
  logicalWords,
  statementWords,
  wordsBehindStrings,
} from './sql-words.ts'

/** A database reads words with minus signs between them, and goes on with nothing. */
const wordsWithHyphens = /^\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+){1,40}(?:\.[a-z]{2,5})?$/u

/** What names of files and paths of OData have besides letters: no sign of a comment, and nothing that ends a statement. */
const nameWithMarks = /^(?!.*--)[\p{L}\p{N}\p{M} ._'’()[\],/!&+=$@-]{1,400}$/u

/** Whether a text is words with hyphens between them, as in the addresses of articles. */
export function isWordsWithHyphens(text: string): boolean {
  return wordsWithHyphens.test(text)
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
