import type { Static, TSchema } from 'typebox'
import { isObject } from './named-schemas.ts'
import type { JsonObject } from './service-contract.ts'

/** Gives a schema an example, which the OpenAPI document shows of every reply and every body that has it. */
export function withExample<Schema extends TSchema>(schema: Schema, example: Static<Schema>): Schema {
  return Object.assign(schema, { examples: [example] })
}

/**
 * An example of a schema: the one that it has, or else one that is put together from those of its parts.
 *
 * @param schemas the document's components, in which references are looked up
 * @returns undefined when a part has no example and is not told by its schema
 */
export function exampleOf(schema: unknown, schemas: JsonObject = {}): unknown {
  if (!isObject(schema)) return undefined
  if (typeof schema.$ref === 'string') return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''], schemas)
  const [firstExample] = [schema.examples, schema.enum].flatMap((values) =>
    Array.isArray(values) ? values : [],
  )
  const value = schema.const ?? firstExample ?? schema.default
  if (value !== undefined) return value
  if (schema.type === 'array') {
    const item = exampleOf(schema.items, schemas)
    return item === undefined ? undefined : [item]
  }
  if (isObject(schema.properties)) {
    const members = Object.entries(schema.properties).map(
      ([name, inner]) => [name, exampleOf(inner, schemas)] as const,
    )
    return members.some(([, example]) => example === undefined) ? undefined : Object.fromEntries(members)
  }
  return undefined
}
