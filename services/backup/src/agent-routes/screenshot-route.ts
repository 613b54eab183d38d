import { agentPaths, isScreenshot, screenshotSizeMaxBytes } from '@palisade/agent-protocol'
import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import type { AgentAuthentication } from '../agents/agent-authentication.ts'
import type { Proofs } from '../revisions/proofs.ts'
import { acceptBinaryStreams, bytesOf } from './bodies.ts'
import { OpenUploads } from './open-uploads.ts'

/** An agent proves a few machines at a time. */
const openUploadsMax = 8

/** How an agent hands in what the machine of a proof shows. */
export function screenshotRoute(deps: {
  readonly authentication: AgentAuthentication
  readonly proofs: Proofs
}) {
  const { authentication, proofs } = deps
  const openUploads = new OpenUploads(openUploadsMax)
  return async (scope: FastifyInstance): Promise<void> => {
    acceptBinaryStreams(scope)
    scope.post<{ Params: { id: string } }>(
      agentPaths.screenshot(':id'),
      { onRequest: authentication.check, schema: { hide: true } },
      async (request, reply) => {
        const computer = authentication.senderOf(request)
        const signal = authentication.signalOf(request)
        const png = await openUploads.during(computer, async () =>
          Buffer.concat(await Array.fromAsync(bytesOf(request.body, screenshotSizeMaxBytes, signal))),
        )
        if (!isScreenshot(png)) throw new RequestRefused('bad-request', 'The body must be a PNG.')
        const isKept = await proofs.keepScreenshot(computer, request.params.id, png)
        if (!isKept) throw new RequestRefused('not-found', 'There is no such unfinished proof.')
        return reply.code(204).send()
      },
    )
  }
}
