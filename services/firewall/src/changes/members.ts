import type { FieldSet } from '../kinds/field-set.ts'
import { expectation, readValue, sameValue, unacceptable, type Value, type Values } from '../kinds/values.ts'
import type { Problem } from './problems.ts'

/** The members of a request's body, before anything is known about them. */
export type Body = Readonly<Record<string, unknown>>

/** What a body gives for the fields of an object or a section. */
export interface GivenMembers {
  /** By field name; `undefined` where the member is given but empty. */
  readonly values: ReadonlyMap<string, Value | undefined>
  readonly problems: readonly Problem[]
}

/**
 * Reads the members of a body, finding every fault in it.
 *
 * @param title what the fields belong to, for the sentences
 */
export function readMembers(fields: FieldSet, title: string, body: Body): GivenMembers {
  const values = new Map<string, Value | undefined>()
  const problems: Problem[] = []
  for (const [member, given] of Object.entries(body)) {
    const named = fields.find(member)
    if (!named) {
      problems.push({ member, sentence: `${quoted(member)} is not a member of ${title}.` })
      continue
    }
    const { name, field } = named
    if (values.has(name)) problems.push({ member: name, sentence: `The member ${name} is given twice.` })
    const value = readValue(field, given)
    if (value === unacceptable) {
      problems.push({ member: name, sentence: `The member ${name} must be ${expectation(field)}.` })
    } else {
      values.set(name, value)
    }
  }
  return { values, problems }
}

/** The values after the given ones were put over them. Where a member was given empty, its default returns. */
export function withGiven(before: Values, given: GivenMembers, fields: FieldSet): Values {
  const after: Record<string, Value> = { ...before }
  for (const [name, value] of given.values) {
    const next = value ?? fields.defaults[name]
    if (next === undefined) delete after[name]
    else after[name] = next
  }
  return after
}

/** The values that differ from those before, as they may be recorded: without secrets. */
export function differences(fields: FieldSet, before: Values, after: Values): Record<string, unknown> {
  const changed = Array.from(fields).filter(({ name }) => !sameValue(before[name], after[name]))
  return Object.fromEntries(
    changed.map(({ name, field }) => [name, field.writeOnly ? '(hidden)' : (after[name] ?? '')]),
  )
}

const quotedLengthMax = 64

/** A member's name as a sentence can hold it, whatever the client called it. */
function quoted(member: string): string {
  return JSON.stringify(member.length > quotedLengthMax ? `${member.slice(0, quotedLengthMax)}…` : member)
}
