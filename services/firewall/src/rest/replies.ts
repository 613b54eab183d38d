import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Token } from '../access/token.ts'
import type { Collection, ConfigurationObject } from '../objects/configuration-object.ts'
import { objectsInPiece, piecesByName, textByName } from '../objects/text-by-name.ts'
import { wholeView } from '../objects/view.ts'

const json = 'application/json; charset=utf-8'

/**
 * Sends a reply with its fresh token as the last member.
 *
 * @param members the members before the token as JSON, without the braces around them
 */
export function sendMembers(reply: FastifyReply, token: Token, members: string): FastifyReply {
  return withHeaders(reply).send(`{${members}${tailFor(token)}`)
}

/** Sends what became of a change, with its fresh token behind it. */
export function sendMessage(reply: FastifyReply, token: Token, members: object): FastifyReply {
  return sendMembers(reply, token, JSON.stringify(members).slice(1, -1))
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
  if (collection.size > keptCollectionMax) {
    // The text of each, were it kept, would take more memory than the configuration itself.
    const textOf = (object: ConfigurationObject) => object.textOf(wholeView(object.kind))
    return sendObjects(reply, token, members, [...collection], textOf)
  }
  return withHeaders(reply).send(collection.replyBetween(headOf(members), tailFor(token)))
}

/**
 * Sends members followed by `data`, which holds the objects by name. A long list is sent in turns with other replies.
 *
 * @param textOf what is shown of an object, as JSON
 */
export function sendObjects(
  reply: FastifyReply,
  token: Token,
  members: string,
  objects: readonly ConfigurationObject[],
  textOf: (object: ConfigurationObject) => string,
): FastifyReply {
  const [head, tail] = [headOf(members), tailFor(token)]
  if (objects.length <= objectsInPiece) {
    return withHeaders(reply).send(head + textByName(objects, textOf) + tail)
  }
  return withHeaders(reply).send(Readable.from(inTurn(head, piecesByName(objects, textOf), tail)))
}

function headOf(members: string): string {
  return `{${members},"data":`
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
