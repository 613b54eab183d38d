import type { Clock } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { AgentLinks } from '../agents/agent-links.ts'
import type { Computer, Computers } from '../computers/computers.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { AccountPath, ComputerPath, ComputerView, Errors } from './schemas.ts'
import { computerView } from './views.ts'

/** The computers of an account, and whether their agents are there. */
export function computerRoutes(deps: {
  readonly authorisation: Authorisation
  readonly computers: Computers
  readonly links: AgentLinks
  readonly clock: Clock
}) {
  const { authorisation, computers, links, clock } = deps
  const view = (computer: Computer) => computerView(computer, links.isOnline(computer), clock.now())

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
          response: { 200: Type.Array(ComputerView), '4xx': Errors },
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
          response: { 200: ComputerView, '4xx': Errors },
        },
      },
      async (request) => view(authorisation.computerOf(request)),
    )
  }
}
