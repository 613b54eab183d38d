import { clauseWords, comparisonWords, logicalWords, statementWords } from './sql-words.ts'
import { editorComment } from './text.ts'

/** A whole tag that has attributes, in quotation marks and without further marks in these. */
const tag = /<[a-z][\w:.-]*(?:\s+[a-z][\w:-]*=(?:"[^"'`<>]*"|'[^"'`<>]*'|[\w-]+))+\s*\/?>/gi

/** The end of an element: no operator of SQL begins so, and what has one in it is a mistake. */
const endTag = /<\/[a-z][\w:.-]{0,60}>/gi

/** An element without attributes, and not between two numbers or strings that it would compare. */
const plainTag = /(?<![\d"'`]\s{0,4})<[a-z][\w:.-]{0,60}\s?\/?>(?!\s{0,4}[\d"'`(@-])/gi

const attribute = /=(["'])\s*([^"']*)/g

/**
 * A text without the tags in it that are nothing to a statement of SQL. Where a statement's string ends with the first quotation mark of
 * a kind, and a word or number stands behind it that is no operator, the whole is a mistake that no database runs. Within a string of the other
 * kind tags are letters.
 */
export function withoutTagsForSql(text: string): string {
  if (!text.includes('<')) return text
  const mistaken = new Set(['"', "'"].filter((quote) => isMistakeBehind(text, text.indexOf(quote))))
  return withoutPlainTags(text).replace(tag, (whole) =>
    [...whole.matchAll(attribute)].every(([, quote = '']) => mistaken.has(quote)) ? ' ' : whole,
  )
}

/** Elements that are ended in the text, where they have no attributes, and their ends. */
function withoutPlainTags(text: string): string {
  return text.includes('</')
    ? text.replace(editorComment, ' ').replace(plainTag, ' ').replace(endTag, ' ')
    : text
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
