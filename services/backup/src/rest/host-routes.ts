import { noteChange, RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type HostQuestions, HostSilent } from '../agents/host-questions.ts'
import type { Computer } from '../computers/computers.ts'
import { RequestInvalid } from '../envelope.ts'
import type { Host } from '../hosts/host.ts'
import type { HostSessions } from '../hosts/host-sessions.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { HostOffer } from '../machines/checks.ts'
import { machineMessages } from '../machines/messages.ts'
import { readRemoteRegistration } from '../machines/read-registration.ts'
import { readHostWish, readMembers } from '../machines/read-validation.ts'
import type { Validations } from '../machines/validations.ts'
import { singleLine } from '../single-line.ts'
import type { ShareCredentials } from '../tasks/task.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import {
  CapabilitiesView,
  capabilitiesView,
  HostView,
  HostWish,
  hostView,
  RemoteHost,
  SessionView,
  SessionWish,
  SettingsView,
  sessionView,
  settingsView,
} from './host-schemas.ts'
import { ComputerPath, TaskPath } from './schemas.ts'

const root = `${computerPattern}/restore/hyperv`
const nameLengthMax = 253
const messageLengthMax = 500

/** What routes of hosts need: what is registered, and the agent, which is asked for the rest. */
export interface HostRouteDependencies {
  readonly authorisation: Authorisation
  readonly hosts: Hosts
  readonly hostSessions: HostSessions
  readonly hostQuestions: HostQuestions
  readonly validations: Validations
}

/** The hypervisors that a computer's agent reaches: sessions in which they are looked at, registration, what they offer. */
export function hostRoutes(deps: HostRouteDependencies) {
  const { authorisation, hosts, hostSessions, hostQuestions, validations } = deps
  const tags = ['Hosts']
  const reads = authorisation.require('computers_read')
  const writes = authorisation.require('computers_write')
  /** Bodies are read in the words of the specification, and their schemas are for the OpenAPI document. */
  const validatorCompiler = () => () => true

  /** @throws RequestInvalid */
  async function requireSession(computer: Computer, sessionId: string): Promise<void> {
    if (!(await hostSessions.use(computer, sessionId))) throw new RequestInvalid([machineMessages.session])
  }

  /** Asks the agent for a host, and registers it, usable or not. */
  async function register(
    request: FastifyRequest,
    { hostName, logon }: { readonly hostName?: string; readonly logon?: ShareCredentials | undefined },
  ): Promise<Static<typeof HostView>> {
    const computer = authorisation.computerOf(request)
    const address = {
      ...(hostName === undefined ? {} : { hostName }),
      ...(logon === undefined ? {} : { credentials: logon }),
    }
    const description = await orInvalid(hostQuestions.describe(computer, address))
    const [reason] = description.unsupported
    const { host, former } = await hosts.register(computer, {
      hostName: singleLine(description.hostName, nameLengthMax),
      isLocal: hostName === undefined,
      unsupported: reason
        ? { code: reason.code, message: singleLine(reason.message, messageLengthMax) }
        : null,
      logon,
    })
    noteChange(request, { before: former ? hostContent(former) : null, after: hostContent(host) })
    return hostView(host)
  }

  /** What the host that a body names offers now. @throws RequestInvalid */
  async function offerOf(computer: Computer, body: unknown): Promise<HostOffer> {
    const { sessionId, hostId } = readHostWish(body)
    await requireSession(computer, sessionId)
    const host = await hosts.find(computer, hostId)
    if (!host) throw new RequestInvalid([machineMessages.hostNotInCatalog])
    const offer = await validations.offer(computer, host)
    if ('obstacle' in offer) throw new RequestInvalid([offer.obstacle])
    return offer.offer
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.post<{ Params: AccountParams }>(
      `${root}/session`,
      {
        onRequest: reads,
        schema: {
          operationId: 'createHostSession',
          summary: 'Begin a session in which hosts are looked at and chosen',
          description: 'It lasts for an hour after it was used last.',
          tags,
          params: ComputerPath,
          response: { 200: SessionView },
        },
      },
      async (request) => sessionView(await hostSessions.create(authorisation.computerOf(request)), false),
    )

    scope.get<{ Params: AccountParams & { id: string } }>(
      `${root}/session/:id`,
      {
        onRequest: reads,
        schema: {
          operationId: 'getHostSession',
          summary: 'Show a session',
          tags,
          params: TaskPath,
          response: { 200: SessionView },
        },
      },
      async (request) => {
        const session = await hostSessions.find(authorisation.computerOf(request), request.params.id)
        if (!session) throw new RequestRefused('not-found', 'There is no such session.')
        return sessionView(session, hostSessions.isExpired(session))
      },
    )

    scope.post<{ Params: AccountParams }>(
      `${root}/host/register/local`,
      {
        onRequest: writes,
        validatorCompiler,
        schema: {
          operationId: 'registerLocalHost',
          summary: "Register the hypervisor of the computer's own machine",
          tags,
          params: ComputerPath,
          body: SessionWish,
          response: { 200: HostView },
        },
      },
      async (request) => {
        const computer = authorisation.computerOf(request)
        const { sessionId } = readMembers(request.body, ['sessionId'])
        await requireSession(computer, sessionId)
        return register(request, {})
      },
    )

    scope.post<{ Params: AccountParams }>(
      `${root}/host/register/remote`,
      {
        onRequest: writes,
        validatorCompiler,
        schema: {
          operationId: 'registerRemoteHost',
          summary: "Register another hypervisor that the computer's agent reaches",
          tags,
          params: ComputerPath,
          body: RemoteHost,
          response: { 200: HostView },
        },
      },
      async (request) => {
        const computer = authorisation.computerOf(request)
        const { sessionId, hostName, logon } = readRemoteRegistration(request.body)
        await requireSession(computer, sessionId)
        return register(request, { hostName, logon })
      },
    )

    scope.get<{ Params: AccountParams; Querystring: Record<string, unknown> }>(
      `${root}/hosts`,
      {
        onRequest: reads,
        schema: {
          operationId: 'listHosts',
          summary: 'List the registered hosts',
          tags,
          params: ComputerPath,
          querystring: Type.Object({ sessionId: Type.Optional(Type.String({ format: 'uuid' })) }),
          response: { 200: Type.Array(HostView) },
        },
        validatorCompiler,
      },
      async (request) => {
        const computer = authorisation.computerOf(request)
        const { sessionId } = request.query
        if (sessionId !== undefined) await requireSession(computer, String(sessionId))
        return (await hosts.list(computer)).map(hostView)
      },
    )

    scope.delete<{ Params: AccountParams & { id: string } }>(
      `${root}/hosts/:id`,
      {
        onRequest: writes,
        schema: {
          operationId: 'forgetHost',
          summary: 'Forget a registered host, and who is logged on at it',
          tags,
          params: TaskPath,
          response: { 204: Type.Null({ description: 'it is no longer registered' }) },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const isId = /^\d{1,15}$/.test(id)
        const host = isId ? await hosts.remove(authorisation.computerOf(request), Number(id)) : undefined
        if (!host) throw new RequestRefused('not-found', 'There is no such host.')
        noteChange(request, { before: hostContent(host), after: null })
        return reply.code(204).send()
      },
    )

    scope.post<{ Params: AccountParams }>(
      `${root}/host/capabilities`,
      {
        onRequest: reads,
        validatorCompiler,
        schema: {
          operationId: 'getHostCapabilities',
          summary: 'Show what a registered host can do',
          tags,
          params: ComputerPath,
          body: HostWish,
          response: { 200: CapabilitiesView },
        },
      },
      async (request) => capabilitiesView(await offerOf(authorisation.computerOf(request), request.body)),
    )

    scope.post<{ Params: AccountParams }>(
      `${root}/host/settings`,
      {
        onRequest: reads,
        validatorCompiler,
        schema: {
          operationId: 'getHostSettings',
          summary: 'Show what a registered host offers: the place for disks, memory, processors, switches',
          tags,
          params: ComputerPath,
          body: HostWish,
          response: { 200: SettingsView },
        },
      },
      async (request) => settingsView(await offerOf(authorisation.computerOf(request), request.body)),
    )
  }
}

/** A host as the audit log has it: also whether somebody is logged on at it, and not who. */
function hostContent(host: Host) {
  return { ...hostView(host), isLocal: host.isLocal, hasLogon: host.sealedLogon !== null }
}

/** What an agent cannot tell is told to the caller. */
async function orInvalid<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question
  } catch (error) {
    if (error instanceof HostSilent) throw new RequestInvalid([machineMessages.hostUnusable(error.message)])
    throw error
  }
}
