import { Readable } from 'node:stream'
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
 * @param signal ends the reading with its reason
 */
export async function* bytesOf(
  body: unknown,
  sizeMaxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  if (!(body instanceof Readable)) {
    throw new RequestRefused(
      'bad-request',
      'The body must be sent with Content-Type: application/octet-stream.',
    )
  }
  let sizeBytes = 0
  for await (const piece of arriving(body)) {
    signal.throwIfAborted()
    sizeBytes += piece.length
    if (sizeBytes > sizeMaxBytes) {
      throw new RequestRefused('too-large', `The body is larger than ${sizeMaxBytes} bytes.`)
    }
    yield piece
  }
  signal.throwIfAborted()
}

/**
 * A client that goes away in the middle is no failure of the server. What nobody wants to read is thrown away as it
 * comes, so that the client gets to the reply that says why.
 */
async function* arriving(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false })
  } catch {
    throw new RequestRefused('bad-request', 'The body ended before it was complete.')
  } finally {
    body.resume()
  }
}
