import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { AgentLinks } from '../agents/agent-links.ts'
import { agentOffline } from '../agents/agent-links.ts'
import type { Computer } from '../computers/computers.ts'
import { RequestInvalid } from '../envelope.ts'
import type { Host } from '../hosts/host.ts'
import type { HostSessions } from '../hosts/host-sessions.ts'
import type { Hosts } from '../hosts/hosts.ts'
import {
  bootObstacles,
  capabilityObstacles,
  sizeObstacles,
  sourceMachineObstacles,
} from '../machines/checks.ts'
import { machineMessages } from '../machines/messages.ts'
import { readMembers } from '../machines/read-validation.ts'
import type { Validations } from '../machines/validations.ts'
import { chooseRevisions } from '../restore/chosen-revisions.ts'
import { restoreObstacles } from '../restore/restore-rules.ts'
import type { Revision, Revisions } from '../revisions/revisions.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { validationBodies } from './host-schemas.ts'
import { ComputerPath } from './schemas.ts'

/** What validations look at. Only that of a path changes something: it makes the folder. */
export interface ValidationRouteDependencies {
  readonly authorisation: Authorisation
  readonly links: AgentLinks
  readonly revisions: Revisions
  readonly hosts: Hosts
  readonly hostSessions: HostSessions
  readonly validations: Validations
}

/** One validation: what is sent, how it is called, and what stands against a restore. */
interface Validation {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly body: TSchema
  /** Reads the body first, and asks whether the agent is there before anything else. */
  readonly obstacles: (computer: Computer, body: unknown) => Promise<readonly string[]>
}

/** The validations of a restore as a virtual machine, one by one (reference, section 2.5); the restore makes them too. */
export function validationRoutes(deps: ValidationRouteDependencies) {
  const { authorisation, validations } = deps
  const list: readonly Validation[] = [
    {
      path: '/path',
      operationId: 'validatePath',
      summary: 'Make the folder for the disks, and see whether it can be written to',
      body: validationBodies.path,
      async obstacles(computer, body) {
        const { diskLocation } = readMembers(body, ['diskLocation'])
        return validations.path(computer, diskLocation)
      },
    },
    {
      path: '/agent',
      operationId: 'validateAgent',
      summary: 'See whether the agent can read and write in the folder for the disks, which is there',
      body: validationBodies.agent,
      async obstacles(computer, body) {
        const { diskLocation } = readMembers(body, ['diskLocation'])
        return validations.agent(computer, diskLocation)
      },
    },
    {
      path: '/network',
      operationId: 'validateNetwork',
      summary: 'See whether disks of a format can lie in the folder for them',
      body: validationBodies.network,
      async obstacles(computer, body) {
        const { diskFormat, diskLocation } = readMembers(body, ['diskLocation', 'diskFormat'])
        return validations.network(computer, diskLocation, diskFormat)
      },
    },
    {
      path: '/host/sourcemachine',
      operationId: 'validateSourceMachine',
      summary: 'See whether the machine that was backed up can have the firmware',
      body: validationBodies.sourceMachine,
      async obstacles(computer, body) {
        const { firmwareType, revisions } = readMembers(body, ['firmwareType', 'revisions'])
        requireAgent(computer, deps)
        const { found, unknown } = await revisionsFor(computer, revisions, deps)
        return [...unknown, ...sourceMachineObstacles(firmwareType, found)]
      },
    },
    {
      path: '/host/capabilities',
      operationId: 'validateHostCapabilities',
      summary: 'See whether the host can run the machine that was backed up',
      body: validationBodies.capabilities,
      async obstacles(computer, body) {
        const wish = readMembers(body, ['hostId', 'sessionId', 'firmwareType', 'revisions'])
        requireAgent(computer, deps)
        const host = await hostFor(computer, wish, deps)
        const { found, unknown } = await revisionsFor(computer, wish.revisions, deps)
        const offer = await validations.offer(computer, host)
        const ofHost =
          'obstacle' in offer ? [offer.obstacle] : capabilityObstacles(wish.firmwareType, found, offer.offer)
        return [...unknown, ...bootObstacles(found), ...ofHost]
      },
    },
    {
      path: '/host/permissions',
      operationId: 'validateHostPermissions',
      summary: 'See whether the host can use disks in the folder for them',
      body: validationBodies.permissions,
      async obstacles(computer, body) {
        const wish = readMembers(body, ['hostId', 'diskLocation'])
        requireAgent(computer, deps)
        return validations.permissions(computer, await hostFor(computer, wish, deps), wish.diskLocation)
      },
    },
    {
      path: '/host/server',
      operationId: 'validateHostServer',
      summary: 'See whether the host has the processors and the memory',
      body: validationBodies.server,
      async obstacles(computer, body) {
        const wish = readMembers(body, ['sessionId', 'hostId', 'hostProperties'])
        requireAgent(computer, deps)
        const offer = await validations.offer(computer, await hostFor(computer, wish, deps))
        return 'obstacle' in offer ? [offer.obstacle] : sizeObstacles(wish.hostProperties, offer.offer)
      },
    },
  ]

  return async (scope: FastifyInstance): Promise<void> => {
    for (const { path, operationId, summary, body, obstacles } of list) {
      scope.post<{ Params: AccountParams }>(
        `${computerPattern}/restore/diskimage/standard/vm/validate${path}`,
        {
          onRequest: authorisation.require('computers_write'),
          // The schema is for the OpenAPI document; what is wrong is told in the specification's words.
          validatorCompiler: () => () => true,
          schema: {
            operationId,
            summary,
            description: 'The restore makes the same validation, unless it is told to skip them.',
            tags: ['Validations'],
            params: ComputerPath,
            body,
            response: { 204: Type.Null({ description: 'nothing stands against it' }) },
          },
        },
        async (request: FastifyRequest, reply) => {
          const problems = await obstacles(authorisation.computerOf(request), request.body)
          if (problems.length > 0) throw new RequestInvalid(problems)
          return reply.code(204).send()
        },
      )
    }
  }
}

function requireAgent(computer: Computer, { links }: ValidationRouteDependencies): void {
  if (!links.isOnline(computer)) throw agentOffline()
}

/** @throws RequestInvalid when the session or the host is unknown */
async function hostFor(
  computer: Computer,
  { hostId, sessionId }: { readonly hostId: number; readonly sessionId?: string },
  { hosts, hostSessions }: ValidationRouteDependencies,
): Promise<Host> {
  const host = await hosts.find(computer, hostId)
  const hasSession = sessionId === undefined || (await hostSessions.use(computer, sessionId))
  if (host && hasSession) return host
  throw new RequestInvalid([
    ...(hasSession ? [] : [machineMessages.session]),
    ...(host ? [] : [machineMessages.hostNotInCatalog]),
  ])
}

/** The revisions that a restore would be of, and what is wrong with the choice. */
async function revisionsFor(
  computer: Computer,
  ids: readonly number[],
  { revisions }: ValidationRouteDependencies,
): Promise<{ readonly found: readonly Revision[]; readonly unknown: readonly string[] }> {
  const choice = await chooseRevisions(computer, ids, revisions)
  // As VHDX, which every volume can be restored as: the format is none of these validations' business.
  return { found: choice.found, unknown: restoreObstacles(choice.ids, choice.found, 'Vhdx') }
}
