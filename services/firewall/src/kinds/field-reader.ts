import type { Kind } from './kind.ts'
import type { Value, Values } from './values.ts'

/** Makes of what a field holds what proxies are told. */
export interface Conversion<Result> {
  (value: Value | undefined): Result
  /** The values that are enforced, where these are not all that the field takes. */
  readonly enforced?: readonly string[]
}

/** Members of what is read, each with the field that it comes from and what becomes of its value. */
type Members<Names> = Readonly<Record<string, readonly [field: Names, convert: Conversion<unknown>]>>

/** What a reader gives: members whose conversion gives undefined are left out. The documentation of members goes along. */
type Read<Given extends Members<PropertyKey>> = {
  readonly [Name in keyof Omit<Given, OptionalIn<Given>>]: ResultOf<Given[Name]>
} & {
  readonly [Name in keyof Pick<Given, OptionalIn<Given>>]?: Exclude<ResultOf<Given[Name]>, undefined>
}

type OptionalIn<Given> = keyof {
  readonly [Name in keyof Given as undefined extends ResultOf<Given[Name]> ? Name : never]: Name
}

type ResultOf<Member> = Member extends readonly [unknown, (value: Value | undefined) => infer Result]
  ? Result
  : never

/** What an object of the configuration holds. */
interface HoldsValues {
  readonly content: {
    readonly values: Values
    readonly sections: Readonly<Record<string, Values>>
  }
}

/**
 * Which fields of a kind, or of one of its sections, something reads. A field that some reader names is enforced, every other one is
 * only kept: what objects say of their status, and docs/firewall-enforcement.md, follow from that.
 */
export interface ReadFields {
  /** The names of the kinds whose objects are read. */
  readonly kinds: readonly string[]
  /** The segment of the section; undefined for the object's own fields. */
  readonly section: string | undefined
  /** The fields that are read, with the values that are enforced where these are not all. */
  readonly fields: ReadonlyMap<string, readonly string[] | undefined>
}

/** Reads fields of a kind, or of one of its sections, for a compiler. */
export interface FieldReader<Result = unknown> extends ReadFields {
  readonly of: (object: HoldsValues) => Result
}

/**
 * A reader of the object's own fields.
 *
 * @param kinds one, or several that have the same fields
 * @param members what is read, by the name that proxies know it by
 */
export function fieldReader<Of extends NamedKind, const Given extends Members<keyof Of['fields'] & string>>(
  kinds: OneOrMore<Of>,
  members: Given,
): FieldReader<Read<Given>> {
  return readerOf(kinds, undefined, members)
}

/**
 * Fields of the object itself that are also in a section, to which the behaviour of the kind carries them over: what is given here
 * is read there.
 *
 * @param kinds one, or several that have the same fields
 */
export function carriedFields<Of extends NamedKind>(
  kinds: OneOrMore<Of>,
  ...fields: readonly (keyof Of['fields'] & string)[]
): ReadFields {
  return {
    kinds: namesOf(kinds),
    section: undefined,
    fields: new Map(fields.map((name) => [name, undefined])),
  }
}

/**
 * A reader of a section.
 *
 * @param kinds one, or several that have the same section
 * @param segment of the section
 * @param members what is read, by the name that proxies know it by
 */
export function sectionReader<
  Of extends KindWithSections,
  Segment extends keyof Of['sections'] & string,
  const Given extends Members<keyof Of['sections'][Segment]['fields'] & string>,
>(kinds: OneOrMore<Of>, segment: Segment, members: Given): FieldReader<Read<Given>> {
  return readerOf(kinds, segment, members)
}

/** The reader of something that a field switches on and off: of an object in which it is off, there is nothing to read. */
export function whenOn<Result extends { readonly isOn: boolean }>(
  reader: FieldReader<Result>,
): FieldReader<Omit<Result, 'isOn'> | undefined> {
  return {
    ...reader,
    of: (object) => {
      const { isOn, ...rest } = reader.of(object)
      return isOn ? rest : undefined
    },
  }
}

/**
 * What proxies are told by a reader of a feature, member for member. A feature exports such types by names that begin with `Snapshot`, with
 * documentation: `npm run contract` writes them into proxy-protocol, where proxies have them from.
 */
export type Settings<Reader extends FieldReader> = NonNullable<ReturnType<Reader['of']>>

/** One kind, or several that have the fields in common which are read. */
export type OneOrMore<Of> = Of | readonly Of[]

/** What a reader needs of a kind. */
export type NamedKind = Pick<Kind, 'name' | 'fields'>

/** What a reader of a section needs of a kind. */
export type KindWithSections = NamedKind & Required<Pick<Kind, 'sections'>>

/** The names of one kind or several. */
export function namesOf(kinds: OneOrMore<NamedKind>): string[] {
  return [kinds].flat().map(({ name }) => name)
}

function readerOf<Given extends Members<string>>(
  kinds: OneOrMore<NamedKind>,
  section: string | undefined,
  settings: Given,
): FieldReader<Read<Given>> {
  const members = Object.entries(settings)
  return {
    kinds: namesOf(kinds),
    section,
    fields: new Map(members.map(([, [field, { enforced }]]) => [field, enforced])),
    of: ({ content }) => {
      const values = (section === undefined ? content.values : content.sections[section]) ?? {}
      const read: Record<string, unknown> = {}
      for (const [name, [field, convert]] of members) {
        const result = convert(values[field])
        if (result !== undefined) read[name] = result
      }
      return read as Read<Given>
    },
  }
}
