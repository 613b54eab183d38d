import {
  type KindWithSections,
  type NamedKind,
  namesOf,
  type OneOrMore,
  type ReadFields,
} from '../kinds/field-reader.ts'
import type { Fields } from '../kinds/kind.ts'
import type { ConfigurationObject } from './configuration-object.ts'
import { type Reference, referencesIn, referredObject } from './references.ts'
import type { Snapshot } from './snapshot.ts'

/** Reads a field that names other objects, for a compiler: as a `FieldReader`, but for what it gives. */
export interface ReferenceReader extends ReadFields {
  /** The objects that are named, in the order of the field; those that are not there are left out. */
  readonly of: (object: ConfigurationObject, snapshot: Snapshot) => ConfigurationObject[]
  /** The references themselves, one for each name. */
  readonly referencesOf: (object: ConfigurationObject) => Reference[]
}

/** A reader of a field of the object itself. @param kinds one, or several that have the same field */
export function referenceReader<Of extends NamedKind>(
  kinds: OneOrMore<Of>,
  field: ReferencesOf<Of['fields']>,
): ReferenceReader {
  return readerOf(kinds, undefined, field)
}

/** A reader of a field of a section. @param kinds one, or several that have the same section */
export function sectionReferenceReader<
  Of extends KindWithSections,
  Segment extends keyof Of['sections'] & string,
>(
  kinds: OneOrMore<Of>,
  segment: Segment,
  field: ReferencesOf<Of['sections'][Segment]['fields']>,
): ReferenceReader {
  return readerOf(kinds, segment, field)
}

/** The names of the fields that name objects. */
type ReferencesOf<Given extends Fields> = keyof {
  readonly [Name in keyof Given as Given[Name] extends NamesObjects ? Name : never]: Name
} &
  string

type NamesObjects =
  | { readonly type: 'reference' }
  | { readonly type: 'list'; readonly of: { readonly type: 'reference' } }

function readerOf(kinds: OneOrMore<NamedKind>, section: string | undefined, field: string): ReferenceReader {
  const references = (object: ConfigurationObject) => referencesIn(object, section, field)
  return {
    kinds: namesOf(kinds),
    section,
    fields: new Map([[field, undefined]]),
    of: (object, snapshot) =>
      references(object).flatMap((reference) => referredObject(reference, snapshot) ?? []),
    referencesOf: references,
  }
}
