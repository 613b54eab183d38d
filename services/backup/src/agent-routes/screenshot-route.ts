import { agentPaths, isScreenshot, screenshotSizeMaxBytes } from '@palisade/agent-protocol'
import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import type { AgentAuthentication } from '../agents/agent-authentication.ts'
import type { Proofs } from '../revisions/proofs.ts'
import { acceptBinaryStreams, bytesOf } from './bodies.ts'

/** How an agent hands in what the machine of a proof shows. */
export function screenshotRoute(deps: {
  readonly authentication: AgentAuthentication
  readonly proofs: Proofs
}) {
  const { authentication, proofs } = deps
  return async (scope: FastifyInstance): Promise<void> => {
    acceptBinaryStreams(scope)
    scope.post<{ Params: { id: string } }>(
      agentPaths.screenshot(':id'),
      { onRequest: authentication.check, schema: { hide: true } },
      async (request, reply) => {
        const signal = authentication.signalOf(request)
        const pieces = await Array.fromAsync(bytesOf(request.body, screenshotSizeMaxBytes, signal))
        const png = Buffer.concat(pieces)
        if (!isScreenshot(png)) throw new RequestRefused('bad-request', 'The body must be a PNG.')
        const isKept = await proofs.keepScreenshot(authentication.senderOf(request), request.params.id, png)
        if (!isKept) throw new RequestRefused('not-found', 'There is no such unfinished proof.')
        return reply.code(204).send()
      },
    )
  }
}
