/** A member that a change has changed. */
export interface Difference {
  /** Names of members down to it, with dots. */
  readonly member: string
  /** JSON, or undefined where it was not there. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The members in which two states differ, in the order in which they stand. */
export function differencesOf(before: object | null, after: object | null): readonly Difference[] {
  const [one, other] = [flatten(before), flatten(after)]
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((member) => ({ member, before: one.get(member), after: other.get(member) }))
    .filter((difference) => difference.before !== difference.after)
}

/** Values by the names that lead to them. Lists are one value: their items have no names. */
function flatten(value: unknown, name = '', into = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [member, inner] of Object.entries(value)) {
      flatten(inner, name === '' ? member : `${name}.${member}`, into)
    }
  } else if (name !== '') into.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return into
}
