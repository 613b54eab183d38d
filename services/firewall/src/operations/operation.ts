import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Permissions } from '../access/permissions.ts'
import type { Author } from '../changes/live-configuration.ts'
import type { Schema } from '../openapi/schemas.ts'
import type { Query } from '../rest/query.ts'

/** Something that is done rather than kept: a verb of the API, beside the kinds. Each has a file in this folder. */
export interface SpecialOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** What follows the version, with names in braces: "ops/export-configuration", "certificates/{name}". */
  readonly path: string
  /** Where a kind has the same address and method: the parameter of the query that tells this operation. */
  readonly when?: { readonly parameter: string; readonly value: string }
  /** Whether an administrator with these permissions may do it. */
  readonly mayBeDone: (permissions: Permissions) => boolean
  /** The operation as the OpenAPI document has it, without what all have; undefined when it is described elsewhere. */
  readonly description?: DescribedOperation
  /** How large a body may be, in bytes, where more is to be taken than everywhere. */
  readonly bodySizeMax?: number
  readonly handle: (call: Call) => Promise<FastifyReply>
}

export interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Schema[]
  readonly requestBody?: Schema
  readonly responses: Readonly<Record<string, Schema>>
}

/** One request for an operation, from somebody who may do it. */
export interface Call {
  readonly request: FastifyRequest<{ Querystring: Query }>
  readonly reply: FastifyReply
  /** What the path has in the place of the names in braces. */
  readonly names: Readonly<Record<string, string>>
  readonly author: Author
}
