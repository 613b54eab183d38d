import type { FirewallField } from '@palisade/sdk'

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

/**
 * The names of the fields that somebody looks for.
 *
 * @param part the title and the segment of what they belong to: who looks for that, looks for all of them
 */
export function fieldsFound(
  fields: Readonly<Record<string, FirewallField>>,
  part: string,
  search: string,
): readonly string[] {
  if (search === '' || hasWords(part, search)) return Object.keys(fields)
  return Object.entries(fields)
    .filter(([name, { description = '' }]) => hasWords(`${part} ${name} ${description}`, search))
    .map(([name]) => name)
}
