import type { TextSeal } from '@palisade/platform'
import { fieldsOf } from '../changes/problems.ts'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { type Field, isSecret } from '../kinds/kind.ts'
import type { Value, Values } from '../kinds/values.ts'

/** What every document says that it is. */
export const documentFormat = 'palisade-firewall-configuration'

/** Grows when documents are made that an earlier release would misread. */
export const documentFormatVersion = 1

/**
 * The configuration as JSON; the form is described in docs/formats/firewall-configuration.md. Objects that are
 * as the factory made them are left out, and so are values that are the defaults of their fields.
 */
export interface ConfigurationDocument {
  readonly format: typeof documentFormat
  readonly 'format-version': typeof documentFormatVersion
  /** The version of the configuration that it was made of. */
  readonly 'configuration-version': number
  /** Everything there is, or what has changed since a checkpoint. */
  readonly scope: 'full' | 'partial'
  /** The name of the checkpoint, in partial documents. */
  readonly since?: string
  /** Who may log in, for the reader's information: nothing of it is ever taken back. */
  readonly administrators: readonly { readonly name: string; readonly role: string }[]
  /** By the names of kinds. */
  readonly objects: Readonly<Record<string, readonly DocumentObject[]>>
  /** The paths of objects that are gone since the checkpoint, by the names of kinds; in partial documents. */
  readonly removed?: Readonly<Record<string, readonly (readonly string[])[]>>
}

/** One object, without those inside it. */
export interface DocumentObject {
  /** The names of the objects around it, outermost first, and its own. */
  readonly path: readonly string[]
  readonly members: DocumentMembers
  /** By segment; those in which nothing differs from the defaults are left out. */
  readonly sections?: Readonly<Record<string, DocumentMembers>>
}

/**
 * Values by field name. null empties a field that has a default. What clients cannot read or cannot set is a text
 * that starts with "sealed:" and can be opened by whoever has the key, for the same member of the same object.
 */
export type DocumentMembers = Readonly<Record<string, Value | null>>

/** Seals what documents must not show. */
export type DocumentSeal = Pick<TextSeal, 'seal' | 'open' | 'isSealed'>

/** Where a member of an object is. */
export interface MemberPlace {
  readonly kind: CompiledKind
  readonly path: readonly string[]
  /** The segment of the section; the object's own members when undefined. */
  readonly section: string | undefined
  readonly member: string
}

/**
 * What a sealed member belongs to, so that it is opened nowhere else, and not beside other values of the members that protect it.
 *
 * @param values those of all members beside it
 */
export function boundTo({ kind, path, section, member }: MemberPlace, values: Values): string {
  const place = [kind.name, path, section ?? '', member]
  const guards = guardsOf(fieldsOf(kind, section), member)
  if (guards.length === 0) return JSON.stringify(place)
  return JSON.stringify([...place, guards.map((name) => [name, values[name] ?? null])])
}

/**
 * The members that say what may become of a sealed one: where it is sent and, for one that an object is made with, those that are decided at
 * creation too.
 */
export function guardsOf(fields: FieldSet, member: string): readonly string[] {
  const field = Array.from(fields).find(({ name }) => name === member)?.field
  const isMadeOnce = field?.createOnly || field?.hidden
  const decided = Array.from(fields).filter(
    (one) => isMadeOnce && one.field.createOnly && !one.field.transient && !isSealedInDocuments(one.field),
  )
  return [...(field?.sentTo ?? []), ...decided.map(({ name }) => name)]
}

/** Whether a field's value must not be read, or made up, by whoever holds a document. */
export function isSealedInDocuments(field: Field): boolean {
  return isSecret(field) || (field.readOnly ?? false)
}
