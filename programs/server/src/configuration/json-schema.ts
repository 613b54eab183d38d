import { ConfigurationSchema } from './schema.ts'

/** Where the schema is called by, and what editors show of it. */
const head = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Palisade configuration',
  description: 'What "palisade serve" reads, as YAML or JSON. Every member has a default.',
}

/** The JSON Schema (2020-12) of the configuration file: for editors, and for whoever writes such files by programs. */
export function configurationJsonSchema(): Readonly<Record<string, unknown>> {
  const { default: _whole, ...schema } = forFiles(ConfigurationSchema)
  return { ...head, ...schema }
}

type Node = Readonly<Record<string, unknown>>

/**
 * A schema as it is for files that leave members with a default out: these are not required, and what is `expects` for our own messages is
 * a part of the description.
 */
function forFiles(schema: object): Record<string, unknown> {
  const { description, expects, required, properties, items, anyOf, ...rest }: Node = { ...schema }
  const sentences = [description, expects === undefined ? undefined : `Must be ${expects}.`]
  const described = sentences.filter((sentence) => sentence !== undefined).join(' ')
  const members = isNode(properties) ? properties : {}
  const needed = Array.isArray(required) ? required.filter((name) => !hasDefault(members[name])) : []
  return {
    ...(described === '' ? {} : { description: described }),
    ...rest,
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(isNode(properties) ? { properties: mapped(properties) } : {}),
    ...(isNode(items) ? { items: forFiles(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(forFiles) } : {}),
  }
}

function mapped(properties: Node): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, isNode(inner) ? forFiles(inner) : inner]),
  )
}

function hasDefault(schema: unknown): boolean {
  return isNode(schema) && 'default' in schema
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
