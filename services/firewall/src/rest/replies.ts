import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Token } from '../access/token.ts'
import type { Collection } from '../objects/collection.ts'

const json = 'application/json; charset=utf-8'

/** From this length on, a collection's bytes are sent as they are kept instead of being copied into a reply. */
const longTextLength = 64 * 1024

/**
 * Sends a reply with its fresh token as the last member.
 *
 * @param members the members before the token as JSON, without the braces around them
 */
export function sendMembers(reply: FastifyReply, token: Token, members: string): FastifyReply {
  return withHeaders(reply).send(`{${members}${tailFor(token)}`)
}

/** Sends members followed by `data`, which holds the whole collection. */
export function sendCollection(
  reply: FastifyReply,
  token: Token,
  members: string,
  collection: Collection,
): FastifyReply {
  const head = `{${members},"data":`
  const tail = tailFor(token)
  const { text } = collection
  if (text.length < longTextLength) return withHeaders(reply).send(head + text + tail)
  const parts = [Buffer.from(head), collection.bytes, Buffer.from(tail)]
  const sizeBytes = parts.reduce((sum, part) => sum + part.length, 0)
  return withHeaders(reply).header('content-length', sizeBytes).send(Readable.from(parts))
}

function tailFor({ successor, replyTail }: Token): string {
  return successor?.replyTail ?? replyTail
}

/** Replies carry tokens, so nobody on the way may keep them. */
function withHeaders(reply: FastifyReply): FastifyReply {
  return reply.header('content-type', json).header('cache-control', 'no-store')
}
