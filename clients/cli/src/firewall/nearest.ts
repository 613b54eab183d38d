import { UsageError } from '../connection.ts'

/**
 * The word among those that there are, in any case and with hyphens for underscores.
 *
 * @param what the kind of word, such as "field"
 * @param where where it is looked for, such as " of a service"
 * @throws UsageError with the nearest ones when there is no such word
 */
export function findWord(word: string, words: Iterable<string>, what: string, where = ''): string {
  const all = [...words]
  const plain = word.toLowerCase().replaceAll('_', '-')
  const exact = all.find((one) => one === word) ?? all.find((one) => one.toLowerCase() === plain)
  if (exact !== undefined) return exact
  const near = nearest(plain, all)
  throw new UsageError(
    `There is no ${what} ${word}${where}.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`,
  )
}

/** Up to three words that differ in a third of the letters at most, or in two of four, or contain the word; the nearest first. */
export function nearest(word: string, words: readonly string[]): string[] {
  return words
    .map((one) => ({ one, distance: one.includes(word) && word.length > 2 ? 1 : editDistance(word, one) }))
    .filter(({ one, distance }) => distance <= Math.max(Math.min(word.length - 2, 2), one.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ one }) => one)
}

/** How many letters are added, removed or replaced (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + Number(letter !== other)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
