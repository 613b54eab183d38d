import { agentPaths } from '@palisade/agent-protocol'
import { RequestRefused } from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import type { FastifyInstance } from 'fastify'
import type { AgentAuthentication } from '../agents/agent-authentication.ts'
import { domainOf } from '../computer-id.ts'
import { readRange } from './read-range.ts'
import { refuseVaultFailures } from './vault-failures.ts'

/** How an agent gets the names of the chunks of a revision of its computer, to compare a disk with it. */
export function revisionIdsRoute(deps: {
  readonly authentication: AgentAuthentication
  readonly vault: Vault
}) {
  const { authentication, vault } = deps
  return async (scope: FastifyInstance): Promise<void> => {
    refuseVaultFailures(scope)
    scope.get<{ Params: { revisionId: string }; Querystring: Record<string, unknown> }>(
      agentPaths.revisionIds(':revisionId'),
      { onRequest: authentication.check, schema: { hide: true } },
      async (request, reply) => {
        const { revisionId } = request.params
        if (!/^\d{1,15}$/.test(revisionId))
          throw new RequestRefused('not-found', 'There is no such revision.')
        const reader = await vault.openRevision(domainOf(authentication.senderOf(request)), revisionId)
        reader.close()
        const { from, to } = readRange(request.query, reader.content.count)
        return reply.type('application/octet-stream').send(reader.content.names(from, to))
      },
    )
  }
}
