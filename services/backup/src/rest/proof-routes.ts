import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Proofs } from '../revisions/proofs.ts'
import type { Revisions } from '../revisions/revisions.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { TaskPath } from './schemas.ts'

/** What a machine showed when it was proved that it starts. */
export function proofRoutes(deps: {
  readonly authorisation: Authorisation
  readonly revisions: Revisions
  readonly proofs: Proofs
}) {
  const { authorisation, revisions, proofs } = deps
  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<{ Params: AccountParams & { id: string } }>(
      `${computerPattern}/revisions/:id/proof/screenshot`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'getProofScreenshot',
          summary: "Show the screen of the machine of a revision's newest proof, as it was at the verdict",
          tags: ['Revisions'],
          params: TaskPath,
          response: {
            200: {
              description: 'the picture',
              content: { 'image/png': { schema: Type.String({ format: 'binary' }) } },
            },
          },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const computer = authorisation.computerOf(request)
        const [revision] = /^\d{1,15}$/.test(id) ? await revisions.find(computer, [Number(id)]) : []
        const png = revision?.proof ? await proofs.screenshot(revision.proof) : undefined
        if (!png) throw new RequestRefused('not-found', 'There is no picture of a proof of such a revision.')
        return reply.type('image/png').send(png)
      },
    )
  }
}
