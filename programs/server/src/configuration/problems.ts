import { type Problem, problemAt } from '@palisade/platform'
import { nearestName } from '@palisade/start-up'
import { type TObject, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { shownName } from './configuration-file.ts'
import { expectedBy, inWords, namesIn } from './expected.ts'

/** A wrong value is cut after so many characters. */
const shownMax = 40

/**
 * What is wrong with a configuration, each in one sentence that names the member and says what is allowed. Texts are repeated only where
 * the schema takes one of several names, since any other may be a secret that stands in the wrong place.
 *
 * @param path of the value, such as ["email", "accounts", "0"]
 */
export function problemsIn(schema: TSchema, value: unknown, path: readonly string[] = []): Problem[] {
  if (Type.IsObject(schema) && isObject(value)) return problemsOfMembers(schema, value, path)
  if (Type.IsArray(schema) && Array.isArray(value)) {
    return value.flatMap((item, index) => problemsIn(schema.items, item, [...path, String(index)]))
  }
  if (Check(schema, value)) return []
  const says = `${saying(schema, value)}must be ${expectedBy(schema)}${meantBy(schema, value)}`
  return [problemAt(path, says)]
}

function problemsOfMembers(
  schema: TObject,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): Problem[] {
  const members = Object.keys(schema.properties)
  const unmembers = Object.keys(value).filter((member) => !members.includes(member))
  return [
    ...unmembers.map((member) => ({
      path: [...path, member],
      message: sentenceOfUnknown(member, path, members),
    })),
    ...Object.entries(schema.properties).flatMap(([member, inner]) => {
      const innerPath = [...path, member]
      if (value[member] !== undefined) return problemsIn(inner, value[member], innerPath)
      const isNeeded = !Type.IsOptional(inner)
      return isNeeded ? [problemAt(innerPath, `is missing: it must be ${expectedBy(inner)}`)] : []
    }),
  ]
}

/** "dataDirectry is no member of the configuration: did you mean dataDirectory?" */
function sentenceOfUnknown(member: string, path: readonly string[], members: readonly string[]): string {
  const where = path.length === 0 ? 'the configuration' : path.join('.')
  const nearest = nearestName(member, members)
  const advice = nearest === undefined ? `there are ${inWords(members, 'and')}` : `did you mean ${nearest}?`
  return `${shownName(member)} is no member of ${where}: ${advice}`
}

function saying(schema: TSchema, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
    return mayBeSecret(schema) ? '' : `is ${value}: it `
  }
  if (typeof value !== 'string' || mayBeSecret(schema)) return ''
  const text = value.length > shownMax ? `${value.slice(0, shownMax)}…` : value
  return `is ${JSON.stringify(text)}: it `
}

/** A text that is not one of several names. */
function mayBeSecret(schema: TSchema): boolean {
  return namesIn(schema) === undefined && !Type.IsInteger(schema) && !Type.IsBoolean(schema)
}

function meantBy(schema: TSchema, value: unknown): string {
  // YAML reads 5584599 as a number, and yes and null as what they are there.
  const isWord = typeof value === 'number' || typeof value === 'boolean' || value === null
  if (isWord && Check(schema, String(value))) return '; put it into quotation marks'
  const nearest = typeof value === 'string' ? nearestName(value, namesIn(schema) ?? []) : undefined
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
