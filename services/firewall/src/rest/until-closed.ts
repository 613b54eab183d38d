import type { FastifyReply } from 'fastify'

/** Aborted once the reply was sent or nobody waits for it any more. */
export function untilClosed(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}
