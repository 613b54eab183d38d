import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet, NamedField } from '../kinds/field-set.ts'
import type { Field } from '../kinds/kind.ts'
import { fieldReaders } from './field-readers.ts'

/** Fields that are enforced, each with the values that are, where these are not all. */
export type EnforcedFields = ReadonlyMap<string, readonly string[] | undefined>

/** By the name of the kind and the segment of the section, which is undefined for the object's own fields. */
const enforced: ReadonlyMap<string, ReadonlyMap<string | undefined, EnforcedFields>> = enforcedByReaders()

const none: EnforcedFields = new Map()

function enforcedByReaders(): Map<string, Map<string | undefined, EnforcedFields>> {
  const all = new Map<string, Map<string | undefined, EnforcedFields>>()
  for (const { kinds, section, fields } of fieldReaders) {
    for (const kind of kinds) {
      const sections = all.get(kind) ?? new Map<string | undefined, EnforcedFields>()
      const valuesOfFields = new Map(sections.get(section))
      // One reader may know all values of a field, and another one, which acts on them, only some.
      for (const [field, values] of fields) valuesOfFields.set(field, values ?? valuesOfFields.get(field))
      all.set(kind, sections.set(section, valuesOfFields))
    }
  }
  return all
}

/** The names of the kinds whose objects are read for proxies, or by what else acts on traffic. */
export const enforcedKinds: readonly string[] = [...enforced.keys()]

/** Whether objects of the kind are read for proxies, or by what else acts on traffic. */
export function isEnforced({ name }: CompiledKind): boolean {
  return enforced.has(name)
}

/** The fields of a kind, or of one of its sections, that are enforced, by name. @param section undefined for the object's own fields */
export function enforcedFields({ name }: CompiledKind, section: string | undefined): EnforcedFields {
  return enforced.get(name)?.get(section) ?? none
}

/** Those that ask something of the traffic and are only kept, in the catalogue's order. */
export function unenforcedFields(
  kind: CompiledKind,
  section: string | undefined,
  fields: FieldSet,
): readonly string[] {
  const enforced = enforcedFields(kind, section)
  return Array.from(fields)
    .filter((field) => !enforced.has(field.name) && asksOfTraffic(field, kind.identifiedBy))
    .map(({ name }) => name)
}

/** Whether a field asks something of the traffic, enforced or not, and does not only name, describe or place the object. */
function asksOfTraffic({ name, field }: NamedField, identifiedBy: string | undefined): boolean {
  return name !== identifiedBy && !describing.has(name) && !isForAdministrators(field)
}

/** What administrators write for each other. */
const describing: ReadonlySet<string> = new Set(['comment', 'comments', 'description'])

function isForAdministrators({ administrative, readOnly, transient, hidden }: Field): boolean {
  return (administrative ?? readOnly ?? transient ?? hidden) === true
}
