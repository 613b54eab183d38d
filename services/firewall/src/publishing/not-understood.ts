import { parseExtendedMatch, problemOfOldValue } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../objects/configuration-object.ts'

/** What is wrong with the text of a member, if anything is: a sentence. */
const problems: Readonly<Record<string, (text: string) => string | undefined>> = {
  condition: problemOfMatch,
  'extended-match': problemOfMatch,
  'old-value': problemOfOldValue,
}

/** What the objects inside one say that no proxy understands, so that they are not obeyed: sentences. */
export function notUnderstood({ children }: ConfigurationObject): string[] {
  return [...children].flatMap(([kind, objects]) =>
    [...objects].flatMap((object) => [
      ...Object.entries(problems).flatMap(([member, problemOf]) => {
        const problem = problemOf(String(object.content.values[member] ?? ''))
        if (problem === undefined) return []
        return `The ${member} of ${kind.segments.join('/')} ${object.name} is not understood: ${problem}`
      }),
      ...notUnderstood(object),
    ]),
  )
}

function problemOfMatch(text: string): string | undefined {
  const parsed = parseExtendedMatch(text)
  return 'problem' in parsed ? parsed.problem : undefined
}
