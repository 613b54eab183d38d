import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import type { TSchema } from 'typebox'

/**
 * Writes replies as their TypeBox schema says. It is compiled with the first reply of its kind: the schemas of all routes together
 * take a good part of a server's start, and most routes of most servers are never called.
 */
export const replySerialization: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let serialize: ReturnType<typeof fastJson> | undefined
  return (reply) => {
    serialize ??= fastJson(schema)
    return serialize(reply)
  }
}
