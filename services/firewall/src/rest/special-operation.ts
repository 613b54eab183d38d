import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Permissions } from '../access/permissions.ts'
import type { Author } from '../changes/author.ts'
import type { DescribedSpecial } from '../openapi/specials.ts'
import type { Query } from './query.ts'

/** Something that is done rather than kept: a verb of the API, beside the kinds. Each has a file in `operations/`. */
export interface SpecialOperation extends DescribedSpecial {
  /** Whether an administrator with these permissions may do it. */
  readonly mayBeDone: (permissions: Permissions) => boolean
  /** Of a GET: why those who may only read are refused it, as a sentence; they may do it when left out. */
  readonly refusedToReaders?: string
  /** How large a body may be, in bytes, where more is to be taken than everywhere. */
  readonly bodySizeMax?: number
  readonly handle: (call: Call) => Promise<FastifyReply>
}

/** One request for an operation, from somebody who may do it. */
export interface Call {
  readonly request: FastifyRequest<{ Querystring: Query }>
  readonly reply: FastifyReply
  /** What the path has in the place of the names in braces. */
  readonly names: Readonly<Record<string, string>>
  readonly author: Author
}
