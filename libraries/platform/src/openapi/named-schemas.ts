import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from './service-contract.ts'

/** Keywords that hold one schema, a list of schemas, or schemas by name (JSON Schema, draft 2020-12). */
const schemaKeywords = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames'])
const listKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const mapKeywords = new Set(['properties', 'patternProperties'])
/** Members of an OpenAPI document that hold what callers send or get, and no schemas. */
const valueMembers = new Set(['example', 'examples'])

/**
 * Puts each schema that has a title among the document's components, under that title, and refers to it wherever it stood: so a
 * schema is written once, and generated clients have a type of that name.
 *
 * @throws Error when two schemas that differ have the same title
 */
export function withNamedSchemas(document: JsonObject): JsonObject {
  const schemas: Record<string, JsonObject> = {}

  function keep(name: string, schema: JsonObject): void {
    const { examples: earlierExamples, ...earlierBody } = schemas[name] ?? schema
    const { examples, ...body } = schema
    if (!isDeepStrictEqual(earlierBody, body)) throw new Error(`Two schemas that differ are called ${name}.`)
    const shown = earlierExamples ?? examples
    schemas[name] = shown === undefined ? body : { ...body, examples: shown }
  }

  function named(value: unknown): unknown {
    if (!isObject(value)) return value
    const schema = withNamedParts(value)
    if (typeof schema.title !== 'string') return schema
    keep(schema.title, schema)
    return { $ref: `#/components/schemas/${schema.title}` }
  }

  function withNamedParts(schema: JsonObject): JsonObject {
    return mapMembers(schema, (keyword, value) => {
      // What a member of a configuration may hold, in the words of our own messages.
      if (keyword === 'expects') return undefined
      if (schemaKeywords.has(keyword)) return named(value)
      if (listKeywords.has(keyword) && Array.isArray(value)) return value.map(named)
      if (mapKeywords.has(keyword) && isObject(value))
        return mapMembers(value, (_name, inner) => named(inner))
      return value
    })
  }

  function visited(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visited)
    if (!isObject(value)) return value
    return mapMembers(value, (name, inner) => {
      if (name === 'schema') return named(inner)
      return valueMembers.has(name) ? inner : visited(inner)
    })
  }

  const { schemas: documentSchemas, ...components } = isObject(document.components) ? document.components : {}
  for (const [name, schema] of Object.entries(isObject(documentSchemas) ? documentSchemas : {})) {
    if (isObject(schema)) keep(name, withNamedParts(schema))
  }
  const visitedDocument = {
    ...document,
    paths: visited(document.paths),
    components: visited(components),
  }
  return { ...visitedDocument, components: { schemas, ...Object(visitedDocument.components) } }
}

/** Whether a JSON value is an object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The same object with other values; members whose value becomes undefined are left out. */
export function mapMembers(
  object: JsonObject,
  change: (name: string, value: unknown) => unknown,
): JsonObject {
  const entries = Object.entries(object).map(([name, value]) => [name, change(name, value)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
