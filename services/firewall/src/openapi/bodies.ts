import type { Schema } from './schemas.ts'

/** What may go wrong everywhere; each reply says more. */
export const refusals = {
  default: { $ref: '#/components/responses/Refused' },
}

/** A reply with its fresh token. */
export function replySchema(members: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  return { type: 'object', properties: { ...members, token: { type: 'string' } }, required }
}

export function jsonReply(description: string, schema: Schema): Schema {
  return { description, content: { 'application/json': { schema } } }
}

export function jsonBody(name: string): Schema {
  return { required: true, content: { 'application/json': { schema: reference(name) } } }
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}
