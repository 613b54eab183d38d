import { clauseWords, comparisonWords, logicalWords, statementWords } from './sql-words.ts'

const attributes = '(?:[ \\t]*[a-z-]{1,20}="[\\w :;#%.,-]{0,80}")'

/** `{| class="wikitable"`, and what ends it. */
const beginning = new RegExp(`^\\{\\|${attributes}*[ \\t]*$`, 'i')
const end = /^\|\}[ \t]*$/

/** `|- style="color: red"`; `|+` is before a title. */
const row = new RegExp(`^\\|-${attributes}*[ \\t]*$`, 'i')
const title = /^\|\+/

const betweenCells = /\|\||!!/
const beginningOfCell = new RegExp(`^[ \\t]*${attributes}+[ \\t]*\\|(?!\\|)`, 'i')

/** Apostrophes within words are none. */
const mark = /`|(?<!\p{L})'|'(?!\p{L})/u

/**
 * A text with blanks in place of the marks and attributes of its tables, as MediaWiki has them, where these are nothing to a statement of SQL: the first mark of
 * quotation opens an attribute, and the word behind it is a mistake that no database runs. A brace is one wherever no string is around it.
 *
 * @param text with one spelling for each quotation mark
 */
export function withoutWikiTables(text: string): string {
  if (!/^\{\|/m.test(text) || mark.test(text) || !isMistakeBehindMark(text)) return text
  const lines: string[] = []
  let isTable = false
  for (const line of text.split(/\r?\n/)) {
    const isBeginning = beginning.test(line)
    if (isBeginning === isTable && (isBeginning || line.startsWith('{|'))) return text
    if (!isTable && !isBeginning) lines.push(line)
    else if (isTable && !isBeginning && !end.test(line) && !row.test(line)) lines.push(withoutMarks(line))
    isTable = isBeginning || (isTable && !end.test(line))
  }
  return isTable ? text : lines.join('\n')
}

function withoutMarks(line: string): string {
  if (!/^[|!]/.test(line)) return line
  const cells = line.replace(title, '|').slice(1).split(betweenCells)
  return cells.map((cell) => cell.replace(beginningOfCell, ' ')).join(' ')
}

/** Whether the first quotation mark is that of an attribute in a line of a table, with a word behind it that is no operator. */
function isMistakeBehindMark(text: string): boolean {
  const index = text.indexOf('"')
  if (index < 0) return true
  const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
  const [, word = ''] = /^"([a-z]+)[\w :;#%.,-]*"/i.exec(text.slice(index, index + 100)) ?? []
  return (
    /^[{|!].*[a-z]=$/i.test(line) &&
    word !== '' &&
    ![logicalWords, comparisonWords, clauseWords, statementWords].some((words) =>
      words.has(word.toLowerCase()),
    )
  )
}
