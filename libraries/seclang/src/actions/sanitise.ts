import type { Effect } from '../engine/rule.ts'

/** `sanitiseArg:password` and the like: the values of these names must not appear in logs. */
export function sanitise(variables: readonly string[], key: string): Effect {
  const names = variables.map((variable) => `${variable}:${key}`)
  return (inspection) => {
    for (const name of names) inspection.sanitisedNames.add(name.toLowerCase())
  }
}

/** `sanitiseMatched`: the value that matched must not appear in logs. */
export const sanitiseMatched: Effect = (inspection) => {
  const name = inspection.matchedTarget?.name
  if (name !== undefined) inspection.sanitisedNames.add(name.toLowerCase())
}
