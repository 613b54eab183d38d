/**
 * Which of several names somebody may have meant who wrote another one. Upper and lower case count alike.
 *
 * @returns the one that takes the fewest letters to be put in, left out or changed, and no more than a third of them; undefined when there
 *   is none
 */
export function nearestName(word: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let fewest = Math.floor(word.length / 3) + 1
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= fewest) continue
    const changes = lettersToChange(word.toLowerCase(), name.toLowerCase())
    if (changes < fewest) {
      fewest = changes
      nearest = name
    }
  }
  return nearest
}

/** The distance of Levenshtein. */
function lettersToChange(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
    }
    above = current
  }
  return above[to.length] ?? 0
}
