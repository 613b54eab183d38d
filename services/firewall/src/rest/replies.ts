import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Token } from '../access/token.ts'
import type { Collection } from '../objects/collection.ts'

const json = 'application/json; charset=utf-8'

/**
 * Sends a reply with its fresh token as the last member.
 *
 * @param members the members before the token as JSON, without the braces around them
 */
export function sendMembers(reply: FastifyReply, token: Token, members: string): FastifyReply {
  return withHeaders(reply).send(`{${members}${tailFor(token)}`)
}

/** The largest collection whose reply is kept for whoever asks again. */
const keptCollectionMax = 1000

/** Sends members followed by `data`, which holds the whole collection. */
export function sendCollection(
  reply: FastifyReply,
  token: Token,
  members: string,
  collection: Collection,
): FastifyReply {
  const head = `{${members},"data":`
  const tail = tailFor(token)
  if (collection.size <= keptCollectionMax) {
    return withHeaders(reply).send(collection.replyBetween(head, tail))
  }
  return withHeaders(reply).send(Readable.from(inTurn(head, collection.pieces(), tail)))
}

/** The pieces of a long reply; others are served in between. */
async function* inTurn(head: string, pieces: Iterable<string>, tail: string): AsyncGenerator<string> {
  yield head
  for (const piece of pieces) {
    yield piece
    await setImmediate()
  }
  yield tail
}

function tailFor({ successor, replyTail }: Token): string {
  return successor?.replyTail ?? replyTail
}

/** Replies carry tokens, so nobody on the way may keep them. */
function withHeaders(reply: FastifyReply): FastifyReply {
  return reply.header('content-type', json).header('cache-control', 'no-store')
}
