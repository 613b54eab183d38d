import { parseExtendedMatch } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../objects/configuration-object.ts'

/** The members that are written as extended matches. */
const matches = ['condition', 'extended-match']

/** What the objects inside one say that no proxy understands, so that they are not obeyed: sentences. */
export function notUnderstood({ children }: ConfigurationObject): string[] {
  return [...children].flatMap(([kind, objects]) =>
    [...objects].flatMap((object) => [
      ...matches.flatMap((member) => {
        const parsed = parseExtendedMatch(String(object.content.values[member] ?? ''))
        if ('match' in parsed) return []
        return `The ${member} of ${kind.segments.join('/')} ${object.name} is not understood: ${parsed.problem}`
      }),
      ...notUnderstood(object),
    ]),
  )
}
