/** A line as the administrator meant it: its continuations joined, blanks at both ends removed. */
export interface LogicalLine {
  readonly text: string
  /** The line of the file in which it begins, counted from 1. */
  readonly line: number
}

/**
 * Joins lines that end in a backslash and leaves out empty lines and comments. The joining comes first, as in Apache: a
 * comment whose last character is a backslash goes on in the next line.
 */
export function logicalLines(source: string): readonly LogicalLine[] {
  const lines: LogicalLine[] = []
  let joined = ''
  let start = 1
  source.split('\n').forEach((physical, index) => {
    const line = physical.endsWith('\r') ? physical.slice(0, -1) : physical
    if (joined === '') start = index + 1
    if (line.endsWith('\\')) {
      joined += line.slice(0, -1)
      return
    }
    addUnlessEmpty(lines, joined + line, start)
    joined = ''
  })
  addUnlessEmpty(lines, joined, start)
  return lines
}

function addUnlessEmpty(lines: LogicalLine[], joined: string, line: number): void {
  const text = joined.trim()
  if (text !== '' && !text.startsWith('#')) lines.push({ text, line })
}
