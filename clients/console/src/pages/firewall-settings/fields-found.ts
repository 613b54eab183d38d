import type { FirewallField } from '@palisade/sdk'
import { hasWords } from '../../words.ts'

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
