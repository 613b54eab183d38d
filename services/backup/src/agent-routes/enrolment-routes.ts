import {
  agentPaths,
  ChunkKeysReply,
  EnrolmentReply,
  EnrolmentRequest,
  patchedChunksMax,
} from '@palisade/agent-protocol'
import {
  type Clock,
  clientAddress,
  credentialsSizeMax,
  FailedLogins,
  RequestRefused,
} from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import type { FastifyInstance } from 'fastify'
import type { AgentAuthentication } from '../agents/agent-authentication.ts'
import type { AgentLinks } from '../agents/agent-links.ts'
import type { RivalAgents } from '../agents/rival-agents.ts'
import { domainOf } from '../computer-id.ts'
import type { Computers } from '../computers/computers.ts'
import type { Damage } from '../revisions/damage.ts'
import { describeAgent } from './agent-description.ts'
import { versionFor } from './protocol-version.ts'

/** How often the keys of computers may be guessed at from one network. */
const guesses = { failuresMax: 20, windowMs: 60_000 }

/** How an agent gets its credential, and the keys of its computer's chunks. */
export function enrolmentRoutes(deps: {
  readonly computers: Computers
  readonly links: AgentLinks
  readonly rivals: RivalAgents
  readonly authentication: AgentAuthentication
  readonly damage: Damage
  readonly vault: Vault
  readonly clock: Clock
}) {
  const { computers, links, rivals, authentication, damage, vault, clock } = deps
  const failedLogins = new FailedLogins(clock, guesses)
  return async (scope: FastifyInstance): Promise<void> => {
    scope.post<{ Body: EnrolmentRequest }>(
      agentPaths.enrol,
      {
        bodyLimit: credentialsSizeMax,
        onRequest: async (request) => void versionFor(request),
        schema: { hide: true, body: EnrolmentRequest, response: { 200: EnrolmentReply } },
      },
      async (request, reply) => {
        const { account, computer, enrolmentKey } = request.body
        const id = { accountId: account, computerId: computer }
        let noteEnrolment = () => {}
        const enrolled = await failedLogins.attempt(clientAddress(request), async () => {
          const computer = await computers.enrol(id, enrolmentKey, describeAgent(request.body), async () => {
            noteEnrolment = await rivals.refuseEnrollingBack(id, request)
          })
          if (computer) return computer
          throw new RequestRefused(
            'unauthenticated',
            'There is no such computer, or the enrolment key is wrong.',
          )
        })
        const { replaced, ...answer } = enrolled
        noteEnrolment()
        authentication.credentialEnded(id)
        links.cut(id, 'another agent has enrolled')
        if (replaced) await damage.verifyAll(id)
        request.log.info(
          { computer: domainOf(id) },
          replaced
            ? 'an agent has enrolled, and the credential before has ended: all backups of this computer are verified now'
            : 'an agent has enrolled',
        )
        return reply.header('cache-control', 'no-store').send(answer)
      },
    )

    scope.get(
      agentPaths.keys,
      { onRequest: authentication.check, schema: { hide: true, response: { 200: ChunkKeysReply } } },
      async (request, reply) => {
        const computer = authentication.senderOf(request)
        const { chunks, marking } = vault.verificationKeys(domainOf(computer))
        return reply.header('cache-control', 'no-store').send({
          naming: Buffer.from(chunks.naming).toString('base64'),
          sealing: Buffer.from(chunks.sealing).toString('base64'),
          marking: Buffer.from(marking).toString('base64'),
          endToEndKeyCheck: await computers.endToEndKeyCheck(computer),
          chunkSizeBytes: vault.chunkSizeBytes,
          patchedChunksMax,
        })
      },
    )
  }
}
