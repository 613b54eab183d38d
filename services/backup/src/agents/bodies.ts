import type { Readable } from 'node:stream'
import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'

/** From here on, this scope also takes binary bodies. They are not read; the route does that as it likes. */
export function acceptBinaryStreams(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/octet-stream', async (_request: unknown, body: Readable) => body)
}

/**
 * The bytes of a binary body as they arrive.
 *
 * @param sizeMaxBytes more are refused as too large, when they arrive
 */
export async function* bytesOf(body: unknown, sizeMaxBytes: number): AsyncGenerator<Buffer> {
  if (!isByteStream(body)) {
    throw new RequestRefused(
      'bad-request',
      'The body must be sent with Content-Type: application/octet-stream.',
    )
  }
  let sizeBytes = 0
  for await (const piece of arriving(body)) {
    sizeBytes += piece.length
    if (sizeBytes > sizeMaxBytes) {
      throw new RequestRefused('too-large', `The body is larger than ${sizeMaxBytes} bytes.`)
    }
    yield piece
  }
}

/** A client that goes away in the middle is no failure of the server. */
async function* arriving(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch {
    throw new RequestRefused('bad-request', 'The body ended before it was complete.')
  }
}

function isByteStream(body: unknown): body is AsyncIterable<Buffer> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
