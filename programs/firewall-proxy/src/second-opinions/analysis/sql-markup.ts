import { clauseWords, comparisonWords, logicalWords, statementWords } from './sql-words.ts'

/** A whole tag that has attributes, in quotation marks and without further marks in these. */
const tag = /<[a-z][a-z0-9]*(?:\s+[a-z][\w:-]*=(?:"[^"'`<>]*"|'[^"'`<>]*'|[\w-]+))+\s*\/?>/gi

const attribute = /=(["'])\s*([^"']*)/g

/**
 * A text without the tags in it that are nothing to a statement of SQL. Where a statement's string ends with the first quotation mark of
 * a kind, and a word or number stands behind it that is no operator, the whole is a mistake that no database runs. Within a string of the other
 * kind tags are letters.
 */
export function withoutTagsForSql(text: string): string {
  if (!text.includes('<')) return text
  const mistaken = new Set(['"', "'"].filter((quote) => isMistakeBehind(text, text.indexOf(quote))))
  return text.replace(tag, (whole) =>
    [...whole.matchAll(attribute)].every(([, quote = '']) => mistaken.has(quote)) ? ' ' : whole,
  )
}

/** Whether the first mark opens an attribute of a tag whose value begins with a name or a number. */
function isMistakeBehind(text: string, index: number): boolean {
  if (index < 0) return true
  const isAttribute = [...text.matchAll(tag)].some(
    ({ index: start, 0: whole }) => start < index && index < start + whole.length,
  )
  if (!isAttribute) return false
  const [first = ''] = /^\s*[\p{L}\p{N}_]+/u.exec(text.slice(index + 1, index + 80)) ?? []
  const word = first.trim().toLowerCase()
  return (
    word !== '' &&
    ![logicalWords, comparisonWords, clauseWords, statementWords].some((words) => words.has(word))
  )
}
