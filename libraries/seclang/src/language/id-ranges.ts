import type { IdRange, RuleSelection } from './syntax.ts'

/** The rules with these ids; see {@link parseIdRanges}. */
export function byIds(text: string): RuleSelection {
  return { by: 'id', ranges: parseIdRanges(text) }
}

/**
 * Parses rule ids and ranges of them: `942100`, `942100-942199`, several separated by commas or blanks.
 *
 * @throws {Error} naming what was expected
 */
export function parseIdRanges(text: string): readonly IdRange[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0) throw new Error('a rule id was expected')
  return words.map((word) => {
    const range = /^(\d+)(?:-(\d+))?$/.exec(word)
    if (range === null) throw new Error(`a rule id or a range of them was expected, not "${word}"`)
    return { first: Number(range[1]), last: Number(range[2] ?? range[1]) }
  })
}

/** Whether `id` lies in one of the ranges. */
export function isInRanges(id: number, ranges: readonly IdRange[]): boolean {
  return ranges.some(({ first, last }) => id >= first && id <= last)
}
