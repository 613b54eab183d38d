/** Words as they are compared: "max-url-length" is found by "Max URL". */
export function wordsIn(text: string): string {
  return text.toLowerCase().replace(/[-_/]/g, ' ')
}

/** Whether a text has all words that somebody looks for, or beginnings of them. */
export function hasWords(text: string, search: string): boolean {
  const words = wordsIn(text)
  return wordsIn(search)
    .split(' ')
    .every((word) => words.includes(word))
}
