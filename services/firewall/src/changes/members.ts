import type { FieldSet } from '../kinds/field-set.ts'
import { type Field, isSecret } from '../kinds/kind.ts'
import { expectation, readValue, sameValue, unacceptable, type Value, type Values } from '../kinds/values.ts'
import type { Problem } from './problems.ts'
import { unboundedExpression } from './unbounded-expressions.ts'

/** The members of a request's body, before anything is known about them. */
export type Body = Readonly<Record<string, unknown>>

/** Whether something that was parsed from JSON is an object with members, and no list. */
export function isMembers(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of an object; none when it is no object. */
export function membersOf(value: unknown): Body {
  return isMembers(value) ? value : {}
}

/** What a body gives for the fields of an object or a section. */
export interface GivenMembers {
  /** By field name; `undefined` where the member is given but empty. */
  readonly values: ReadonlyMap<string, Value | undefined>
  readonly problems: readonly Problem[]
}

/** What is done with members that a kind does not have. */
export type UnknownMembers = 'refuse' | 'ignore'

/**
 * Reads the members of a body, finding every fault in it. A member that is null counts as one that is left out:
 * clients send that for what their user did not say.
 *
 * @param title what the fields belong to, for the sentences
 */
export function readMembers(
  fields: FieldSet,
  title: string,
  body: Body,
  unknownMembers: UnknownMembers = 'refuse',
): GivenMembers {
  const values = new Map<string, Value | undefined>()
  const problems: Problem[] = []
  for (const [member, memberValue] of Object.entries(body)) {
    const match = fields.find(member)
    if (!match) {
      if (unknownMembers === 'refuse') {
        problems.push({ member, sentence: `${quoted(member)} is not a member of ${title}.` })
      }
      continue
    }
    const { name, field } = match
    if (memberValue === null) continue
    if (values.has(name)) problems.push({ member: name, sentence: `The member ${name} is given twice.` })
    const value = readValue(field, field.type === 'list' ? memberValue : onlyItem(memberValue))
    if (value === unacceptable) {
      problems.push({ member: name, sentence: `The member ${name} must be ${expectation(field)}.` })
    } else {
      const problem = unboundedExpression(name, value)
      if (problem !== undefined) {
        problems.push({ member: name, sentence: `The member ${name} cannot be used: ${problem}` })
      }
      values.set(name, value)
    }
  }
  return { values, problems }
}

/** Some clients put every value into a list. */
function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}

/** The values after the given ones were put over them. Where a member was given empty, its default returns. */
export function mergeMembers(before: Values, input: GivenMembers, fields: FieldSet): Values {
  const after: Record<string, Value> = { ...before }
  for (const [name, value] of input.values) {
    const next = value ?? fields.defaults[name]
    if (next === undefined) delete after[name]
    else after[name] = next
  }
  return after
}

/** The values without those that are only about the request. */
export function withoutTransient(values: Values, fields: FieldSet): Values {
  const transient = Array.from(fields).filter(({ name, field }) => field.transient && name in values)
  if (transient.length === 0) return values
  const result = { ...values }
  for (const { name } of transient) delete result[name]
  return result
}

/** What became of one member, as it may be recorded: secrets are hidden, nothing is undefined. */
export interface MemberChange {
  /** The title of the section that has the member; undefined for the object's own. */
  readonly section: string | undefined
  readonly member: string
  readonly before: Value | undefined
  readonly after: Value | undefined
}

/** The members whose values differ. */
export function differences(
  fields: FieldSet,
  before: Values,
  after: Values,
  section?: string,
): MemberChange[] {
  return Array.from(fields)
    .filter(({ name }) => !sameValue(before[name], after[name]))
    .map(({ name, field }) => ({
      section,
      member: name,
      before: recorded(field, before[name]),
      after: recorded(field, after[name]),
    }))
}

function recorded(field: Field, value: Value | undefined): Value | undefined {
  return value !== undefined && isSecret(field) ? '(hidden)' : value
}

const quotedLengthMax = 64

/** A member's name as a sentence can hold it, whatever the client called it. */
function quoted(member: string): string {
  return JSON.stringify(member.length > quotedLengthMax ? `${member.slice(0, quotedLengthMax)}…` : member)
}
