import type { Fields, Kind } from './kind.ts'
import type { Value, Values } from './values.ts'

/** Makes of what a field holds what proxies are told. */
export interface Conversion<Result> {
  (value: Value | undefined): Result
  /** The values that are enforced, where these are not all that the field takes. */
  readonly enforced?: readonly string[]
}

/** Members of what is read, each with the field that it comes from and what becomes of its value. */
type Members<Names> = Readonly<Record<string, readonly [field: Names, convert: Conversion<unknown>]>>

/** What a reader gives: members whose conversion gives undefined are left out. */
type Read<Given extends Members<PropertyKey>> = {
  readonly [Name in keyof Given as undefined extends ResultOf<Given[Name]> ? never : Name]: ResultOf<
    Given[Name]
  >
} & {
  readonly [Name in keyof Given as undefined extends ResultOf<Given[Name]> ? Name : never]?: Exclude<
    ResultOf<Given[Name]>,
    undefined
  >
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
 * Reads fields of a kind, or of one of its sections, for a compiler. A field that some reader names is enforced, every other one is
 * only kept: what objects say of their status, and docs/firewall-enforcement.md, follow from that.
 */
export interface FieldReader<Result = unknown> {
  /** The names of the kinds whose objects are read. */
  readonly kinds: readonly string[]
  /** The segment of the section; undefined for the object's own fields. */
  readonly section: string | undefined
  /** The fields that are read, with the values that are enforced where these are not all. */
  readonly fields: ReadonlyMap<string, readonly string[] | undefined>
  readonly of: (object: HoldsValues) => Result
}

/**
 * A reader of the object's own fields.
 *
 * @param kinds one, or several that have the same fields
 * @param members what is read, by the name that proxies know it by
 */
export function fieldReader<Own extends Fields, const Given extends Members<keyof Own & string>>(
  kinds: KindsWith<{ readonly fields: Own }>,
  members: Given,
): FieldReader<Read<Given>> {
  return readerOf(kinds, undefined, members)
}

/**
 * A reader of a section.
 *
 * @param kinds one, or several that have the same section
 * @param segment of the section
 * @param members what is read, by the name that proxies know it by
 */
export function sectionReader<
  Sections extends NonNullable<Kind['sections']>,
  Segment extends keyof Sections & string,
  const Given extends Members<keyof Sections[Segment]['fields'] & string>,
>(
  kinds: KindsWith<{ readonly sections: Sections }>,
  segment: Segment,
  members: Given,
): FieldReader<Read<Given>> {
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

type KindsWith<Part> = (Named & Part) | readonly [Named & Part, ...(Named & Part)[]]

interface Named {
  readonly name: string
}

function readerOf<Given extends Members<string>>(
  kinds: Named | readonly Named[],
  section: string | undefined,
  given: Given,
): FieldReader<Read<Given>> {
  const members = Object.entries(given)
  return {
    kinds: [kinds].flat().map(({ name }) => name),
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
