import type { TextSeal } from '@palisade/platform'
import type { Value } from '../kinds/values.ts'

/** What every document says that it is. */
export const documentFormat = 'palisade-firewall-configuration'

/** Grows when documents are made that an earlier release would misread. */
export const documentFormatVersion = 1

/** The kind of administrators, of whom documents tell names and roles only. */
export const administratorKind = 'user'

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

/** What a sealed member belongs to, so that it is opened nowhere else. */
export function memberPlace(
  kindName: string,
  path: readonly string[],
  section: string | undefined,
  member: string,
): string {
  return JSON.stringify([kindName, path, section ?? '', member])
}
