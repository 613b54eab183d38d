/**
 * What is wrong with a command line that `parseArgs` refused, in a sentence, with the option that was probably meant.
 *
 * @param error as it was thrown
 * @param flags the options that there are, without dashes
 */
export function describeWrongOption(error: unknown, flags: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error)
  // What parseArgs says behind it is about words that begin with a dash, which nothing here takes.
  const [, unknown] = /^Unknown option '--([^']+)'/.exec(message) ?? []
  if (unknown === undefined) return message
  const nearest = nearestOf(unknown, flags)
  return `Unknown option '--${unknown}'${nearest === undefined ? '' : `; did you mean --${nearest}?`}`
}

/** The word that differs from another in the fewest letters, when these are few: a third of it at most. */
function nearestOf(word: string, words: readonly string[]): string | undefined {
  const distances = words.map((other) => ({ other, distance: distanceBetween(word, other) }))
  const [nearest] = distances.sort((one, other) => one.distance - other.distance)
  return nearest && nearest.distance <= Math.max(2, word.length / 3) ? nearest.other : undefined
}

/** How many letters have to be put in, taken out or exchanged (Levenshtein). */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (let column = 0; column < other.length; column++) {
      const exchanged = (row[column] ?? 0) + (other[column] === letter ? 0 : 1)
      next.push(Math.min(exchanged, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
