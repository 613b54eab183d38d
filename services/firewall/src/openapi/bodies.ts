import { inLines } from '../access/token-text.ts'
import type { Schema } from './schemas.ts'

/** A token of the form that tokens have, and of no server. */
export const exampleToken = inLines(
  Buffer.from(
    JSON.stringify({ et: '1893456000', user: 'admin', password: '0123456789abcdef0123456789abcdef' }),
  ).toString('base64'),
)

/**
 * A reply with its fresh token.
 *
 * @param title the name of the schema
 */
export function replySchema(
  title: string,
  members: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Schema {
  return { title, type: 'object', properties: { ...members, token: { type: 'string' } }, required }
}

/** A reply with a JSON body, as OpenAPI describes it. */
export function jsonReply(description: string, schema: Schema, example?: unknown): Schema {
  return { description, content: { 'application/json': { schema, ...shown(example) } } }
}

/** The reply of a change. */
export function doneReply(description: string, msg: string, id?: string): Schema {
  const example = { ...(id === undefined ? {} : { id }), msg, token: exampleToken }
  return jsonReply(description, reference('Done'), example)
}

/** A required JSON body with the schema of this name. */
export function jsonBody(name: string, example?: unknown): Schema {
  return { required: true, content: { 'application/json': { schema: reference(name), ...shown(example) } } }
}

/** A reference to the schema of this name in the components. */
export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

function shown(example: unknown): Schema {
  return example === undefined ? {} : { example }
}
