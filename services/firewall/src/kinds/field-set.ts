import { type Field, type Fields, isSecret } from './kind.ts'
import { readValue, unacceptable, type Values } from './values.ts'

/** One field with its name. */
export interface NamedField {
  readonly name: string
  readonly field: Field
}

/** The fields of a kind or of a section, made ready for looking them up as clients spell them. */
export class FieldSet implements Iterable<NamedField> {
  /** The values of a new object, before anything was given. */
  readonly defaults: Values
  /** The fields whose values are nobody's business. */
  readonly secretNames: readonly string[]
  /** The fields that hold lists. */
  readonly listNames: readonly string[]
  readonly #fields: readonly NamedField[]
  readonly #bySpelling: ReadonlyMap<string, NamedField>

  /** @param owner what the fields belong to, for the message of a default that its field would refuse */
  constructor(fields: Fields, owner: string) {
    this.#fields = Object.entries(fields).map(([name, field]) => ({ name, field }))
    this.#bySpelling = new Map(
      this.#fields.flatMap((one) =>
        [one.name, ...(one.field.formerly ?? [])].map((name) => [canonicalSpelling(name), one]),
      ),
    )
    this.secretNames = this.#fields.filter(({ field }) => isSecret(field)).map(({ name }) => name)
    this.listNames = this.#fields.filter(({ field }) => field.type === 'list').map(({ name }) => name)
    this.defaults = Object.fromEntries(
      this.#fields.flatMap(({ name, field }) => {
        const value = field.default === undefined ? undefined : readValue(field, field.default)
        if (value === unacceptable)
          throw new Error(`the default of ${owner} ${name} is not one of its values`)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  }

  get size(): number {
    return this.#fields.length
  }

  [Symbol.iterator](): Iterator<NamedField> {
    return this.#fields[Symbol.iterator]()
  }

  /** The field with this name, or formerly with this name, however it is spelt; not one that is hidden. */
  find(spelling: string): NamedField | undefined {
    const match = this.#bySpelling.get(canonicalSpelling(spelling))
    return match?.field.hidden ? undefined : match
  }
}

/** Clients write hyphens or underscores, in any case: one spelling for all of them. */
export function canonicalSpelling(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}
