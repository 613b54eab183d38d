import { type Clock, noteChange, type Store } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { AgentAccess } from '../agents/agent-access.ts'
import type { AgentLinks } from '../agents/agent-links.ts'
import { domainOf } from '../computer-id.ts'
import type { Computer, Computers } from '../computers/computers.ts'
import type { BackupTables } from '../tables.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { AccountPath, ComputerPath, ComputerView } from './schemas.ts'
import { computerView } from './views.ts'

/** The computers of an account, whether their agents are there, and what they may. */
export function computerRoutes(deps: {
  readonly authorisation: Authorisation
  readonly access: AgentAccess
  readonly computers: Computers
  readonly links: AgentLinks
  readonly store: Store
  readonly clock: Clock
}) {
  const { authorisation, access, computers, links, store, clock } = deps
  const view = (computer: Computer) =>
    computerView(
      computer,
      { online: links.isOnline(computer), restoreTo: links.restoreTo(computer) },
      clock.now(),
    )

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<{ Params: AccountParams }>(
      '/v2/accounts/:account_id/computers',
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'listComputers',
          summary: 'List the computers of an account',
          tags: ['Computers'],
          params: AccountPath,
          response: { 200: Type.Array(ComputerView) },
        },
      },
      async (request) => (await computers.ofAccount(request.params.account_id)).map(view),
    )

    scope.get<{ Params: AccountParams }>(
      computerPattern,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'getComputer',
          summary: 'Show one computer',
          tags: ['Computers'],
          params: ComputerPath,
          response: { 200: ComputerView },
        },
      },
      async (request) => view(authorisation.computerOf(request)),
    )

    scope.delete<{ Params: AccountParams }>(
      `${computerPattern}/credential`,
      {
        onRequest: authorisation.require('computers_write'),
        schema: {
          operationId: 'revokeCredential',
          summary: "End the credential of the computer's agent at once",
          description:
            'Its link and its requests end, those under way too. The enrolment key ends with it: to let an agent in again, give the ' +
            'computer a new one, in the configuration or the administration. All backups of the computer are verified from then on; what comes of it is ' +
            'shown with the revisions.',
          tags: ['Computers'],
          params: ComputerPath,
          response: { 204: Type.Null({ description: 'the agent is shut out' }) },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        await store
          .tables<BackupTables>()
          .transaction()
          .execute(async (transaction) => {
            const before = await computers.agentAccess(computer, transaction)
            await access.revoke(computer, transaction)
            noteChange(request, { before, after: await computers.agentAccess(computer, transaction) })
          })
        access.revoked(computer)
        return reply.code(204).send()
      },
    )

    scope.delete<{ Params: AccountParams }>(
      `${computerPattern}/end-to-end-key`,
      {
        onRequest: authorisation.require('computers_write'),
        schema: {
          operationId: 'forgetEndToEndKey',
          summary:
            'Let the next backups of the computer be sealed with another key, or without one of its own',
          description:
            'Revisions that there are stay sealed with the key that they were made with. The agent has to be told as well.',
          tags: ['Computers'],
          params: ComputerPath,
          response: { 204: Type.Null({ description: 'the next agent with a key decides' }) },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        await computers.forgetEndToEndKey(computer)
        const { endToEndKeyCheck } = computer
        noteChange(request, { before: { endToEndKeyCheck }, after: { endToEndKeyCheck: null } })
        request.log.warn({ computer: domainOf(computer) }, "a computer's end-to-end key was forgotten")
        return reply.code(204).send()
      },
    )
  }
}
