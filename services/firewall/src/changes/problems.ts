import { isIPv6 } from 'node:net'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { expectation, sameValue, type Value, type Values } from '../kinds/values.ts'
import { type Content, valuesOf } from '../objects/content.ts'
import { placeOf, referencesOf } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/** Why one member was not taken. */
export interface Problem {
  readonly member: string
  /** A whole sentence: what is wrong, and what was expected. */
  readonly sentence: string
}

/** An object as a request would leave it. */
export interface Candidate {
  readonly kind: CompiledKind
  readonly path: readonly string[]
  readonly content: Content
  /** The section that the request is about; the plain members when undefined. */
  readonly section: string | undefined
}

/**
 * Required members that hold nothing, addresses of the other version, names of objects that are not there.
 *
 * @param isAsked whether the request is about the member: what was missing before may stay missing
 */
export function problemsOfContent(
  snapshot: Snapshot,
  candidate: Candidate,
  isAsked: (member: string) => boolean = () => true,
): Problem[] {
  const { kind, content, section } = candidate
  const fields = fieldsOf(kind, section)
  const values = valuesOf(content, section)
  return [
    ...(section === undefined ? missingMembers(fields, values).filter(({ member }) => isAsked(member)) : []),
    ...otherAddressVersions(fields, values),
    ...missingTargets(snapshot, candidate),
  ]
}

/**
 * Members that are read-only, or decided at creation, and would not be what they were before. What told how to create
 * the object may be repeated: as nothing of it is kept, nobody can say whether it is the same.
 */
export function problemsOfChange(
  { kind, content, section }: Candidate,
  before: Values,
  isCreation: boolean,
): Problem[] {
  const after = valuesOf(content, section)
  return Array.from(fieldsOf(kind, section))
    .filter(({ name }) => name !== kind.identifiedBy && !sameValue(before[name], after[name]))
    .flatMap(({ name, field }) => {
      if (field.readOnly) return [{ member: name, sentence: `The member ${name} is read-only.` }]
      if (!field.createOnly || field.transient || isCreation) return []
      return [{ member: name, sentence: `The member ${name} cannot be changed after creation.` }]
    })
}

/**
 * Changes of where a stored secret is sent by somebody who does not give the secret: he could have it sent to himself.
 *
 * @param isGiven whether the request gives a member
 */
export function problemsOfDestinations(
  { kind, content, section }: Candidate,
  before: Values,
  isGiven: (member: string) => boolean,
): Problem[] {
  const after = valuesOf(content, section)
  return Array.from(fieldsOf(kind, section)).flatMap(({ name: secret, field: { sentTo = [] } }) => {
    if (isNothing(before[secret]) || before[secret] === '' || isGiven(secret)) return []
    return sentTo
      .filter((member) => !sameValue(before[member], after[member]))
      .map((member) => ({
        member,
        sentence: `The member ${member} cannot be changed without ${secret}, which is sent there: give ${secret} as well.`,
      }))
  })
}

/** The fields of a section, or the object's own when the section is undefined. */
export function fieldsOf(kind: CompiledKind, section: string | undefined): FieldSet {
  return kind.sections.find(({ segment }) => segment === section)?.fields ?? kind.fields
}

/** The required members that are missing. Not asked of sections, whose members may be sent one by one. */
function missingMembers(fields: FieldSet, values: Values): Problem[] {
  return Array.from(fields)
    .filter(({ name, field }) => field.required && isNothing(values[name]))
    .map(({ name }) => ({ member: name, sentence: `The member ${name} is required.` }))
}

function isNothing(value: Value | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

function otherAddressVersions(fields: FieldSet, values: Values): Problem[] {
  return Array.from(fields).flatMap(({ name, field }) => {
    const address = values[name]
    if (field.type !== 'ip-address' || field.version === undefined || typeof address !== 'string') return []
    const version = values[field.version]
    if (version === undefined || isIPv6(address) === (version === 'IPv6')) return []
    return [
      {
        member: name,
        sentence: `The member ${name} must be an ${version} address, as ${field.version} says.`,
      },
    ]
  })
}

function missingTargets(snapshot: Snapshot, candidate: Candidate): Problem[] {
  return referencesOf(candidate)
    .filter((reference) => reference.by.section === candidate.section && !placeOf(reference, snapshot))
    .map(({ by, name }) => ({
      member: by.fieldName,
      sentence: `The member ${by.fieldName} must be ${expectation(by.field)}: there is none called ${JSON.stringify(name)}.`,
    }))
}
