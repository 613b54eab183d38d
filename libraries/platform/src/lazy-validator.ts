import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

/**
 * Checks values against a schema that is compiled when the first one comes: compiling the schemas of all services takes a good part of
 * a server's start, and many of them never see a value.
 */
export class LazyValidator<Schema extends TSchema> {
  readonly #schema: Schema
  #validator: Validator | undefined

  constructor(schema: Schema) {
    this.#schema = schema
  }

  /** Whether the value is as the schema says. */
  Check(value: unknown): value is Static<Schema> {
    this.#validator ??= Compile<TSchema>(this.#schema)
    return this.#validator.Check(value)
  }
}
