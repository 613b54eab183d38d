import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { ComputerId } from '../computers/computer-id.ts'
import { RequestInvalid } from '../envelope.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { Actions } from '../sets/actions.ts'
import { readSet } from '../sets/read-set.ts'
import { NewSet, type SetDefinition } from '../sets/set-definition.ts'
import type { BackupSet, Sets } from '../sets/sets.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { addressOf, computerPattern } from './computer-path.ts'
import { ComputerPath, SetView, StartedView, TaskPath } from './schemas.ts'
import { setView } from './views.ts'

interface SetRoute {
  Params: AccountParams & { id: string }
}

export interface SetRouteDependencies {
  readonly basePath: string
  readonly authorisation: Authorisation
  readonly sets: Sets
  readonly actions: Actions
  readonly hosts: Hosts
}

/** Backup sets of a computer: what is backed up by itself, when, and for how long it is kept. */
export function setRoutes(deps: SetRouteDependencies) {
  const { basePath, authorisation, sets, actions, hosts } = deps
  const tags = ['Backup sets']
  const [reading, writing] = [
    authorisation.require('computers_read'),
    authorisation.require('computers_write'),
  ]

  async function viewOf(set: BackupSet): Promise<Static<typeof SetView>> {
    const lastOf = async (kind: 'run-set' | 'prove-set') =>
      (await actions.newestOf(kind, [set.id])).get(set.id)
    return setView(set, {
      nextRunAt: await sets.nextRunAt(set.id),
      lastRun: await lastOf('run-set'),
      lastProof: await lastOf('prove-set'),
    })
  }

  /** @throws RequestInvalid when it is to be proved on a host that is not registered for the computer */
  async function requireHost(computer: ComputerId, { settings: { proof } }: SetDefinition): Promise<void> {
    if (proof === undefined || (await hosts.find(computer, proof.hostId))) return
    throw new RequestInvalid(['[settings][proof][hostid] is not a registered host of this computer'])
  }

  /** @throws RequestRefused not-found */
  async function setAt(request: FastifyRequest<SetRoute>): Promise<BackupSet> {
    const set = await sets.find(authorisation.computerOf(request), request.params.id)
    if (!set) throw new RequestRefused('not-found', 'There is no such backup set.')
    return set
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<{ Params: AccountParams }>(
      `${computerPattern}/backupsets`,
      {
        onRequest: reading,
        schema: {
          operationId: 'listBackupSets',
          summary: "List the computer's backup sets, by name",
          tags,
          params: ComputerPath,
          response: { 200: Type.Array(SetView) },
        },
      },
      async (request) => Promise.all((await sets.ofComputer(authorisation.computerOf(request))).map(viewOf)),
    )

    scope.post<{ Params: AccountParams; Body: NewSet }>(
      `${computerPattern}/backupsets`,
      {
        onRequest: writing,
        schema: {
          operationId: 'createBackupSet',
          summary: 'Make a backup set, whose schedule counts from now on',
          tags,
          params: ComputerPath,
          body: NewSet,
          response: { 201: StartedView },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        const { name, definition } = readSet(request.body)
        await requireHost(computer, definition)
        const { id } = await sets.create(computer, name, definition)
        return reply
          .code(201)
          .header('location', addressOf(basePath, computer, `/backupsets/${id}`))
          .send({ data: { id } })
      },
    )

    scope.get<SetRoute>(
      `${computerPattern}/backupsets/:id`,
      {
        onRequest: reading,
        schema: {
          operationId: 'getBackupSet',
          summary: 'Show one backup set',
          tags,
          params: TaskPath,
          response: { 200: SetView },
        },
      },
      async (request) => viewOf(await setAt(request)),
    )

    scope.put<SetRoute & { Body: NewSet }>(
      `${computerPattern}/backupsets/:id`,
      {
        onRequest: writing,
        schema: {
          operationId: 'replaceBackupSet',
          summary: 'Change what a backup set is; its revisions stay its own',
          tags,
          params: TaskPath,
          body: NewSet,
          response: { 200: SetView },
        },
      },
      async (request) => {
        const set = { ...(await setAt(request)), ...readSet(request.body) }
        await requireHost(set, set.definition)
        await sets.replace(set)
        return viewOf(set)
      },
    )
  }
}
