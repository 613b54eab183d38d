import { noteChange, RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Actions } from '../actions/actions.ts'
import type { ComputerId } from '../computer-id.ts'
import { RequestInvalid } from '../envelope.ts'
import type { Hosts } from '../hosts/hosts.ts'
import { readSet } from '../sets/read-set.ts'
import type { SetChecks } from '../sets/set-checks.ts'
import { NewSet, type SetDefinition } from '../sets/set-definition.ts'
import type { BackupSet, Sets } from '../sets/sets.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { addressOf, computerPattern } from './computer-path.ts'
import { ComputerPath, SetCreatedView, SetView, TaskPath } from './schemas.ts'
import { setContent, setView } from './views.ts'

interface SetRoute {
  Params: AccountParams & { id: string }
}

/** What routes of backup sets need: the sets, the last runs and proofs that are shown with them, and checks of new ones. */
export interface SetRouteDependencies {
  readonly basePath: string
  readonly authorisation: Authorisation
  readonly sets: Sets
  readonly actions: Actions
  readonly hosts: Hosts
  readonly setChecks: SetChecks
}

/** Backup sets of a computer: what is backed up by itself, when, and for how long it is kept. */
export function setRoutes(deps: SetRouteDependencies) {
  const { basePath, authorisation, sets, actions, hosts, setChecks } = deps
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
      nextProofAt: await sets.nextProofAt(set.id),
      lastRun: await lastOf('run-set'),
      lastProof: await lastOf('prove-set'),
    })
  }

  /** @throws RequestInvalid when it is to be proved on a host that is not registered for the computer */
  async function requireHost(computer: ComputerId, { settings: { proof } }: SetDefinition): Promise<void> {
    if (proof === undefined || (await hosts.find(computer, proof.hostId))) return
    throw new RequestInvalid(['[settings][proof][hostid] is not a registered host of this computer'])
  }

  /**
   * What a set is to be, as far as the computer's agent lets it.
   *
   * @throws RequestInvalid when it says nothing sensible, or its agent says that it cannot work
   */
  async function checked(computer: ComputerId, body: NewSet) {
    const { name, definition } = readSet(body)
    await requireHost(computer, definition)
    const { faults, warning } = await setChecks.check(computer, definition)
    if (faults.length > 0) throw new RequestInvalid([...faults])
    return { name, definition, warning }
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
          description:
            'Refused when the agent is connected and says that it cannot work. When nobody can say, the reply and the set have a warning.',
          tags,
          params: ComputerPath,
          body: NewSet,
          response: { 201: SetCreatedView },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        const set = await sets.create(computer, await checked(computer, request.body))
        const { id, name, warning } = set
        noteChange(request, { before: null, after: setContent(set) })
        setChecks.tell(computer, name, warning)
        return reply
          .code(201)
          .header('location', addressOf(basePath, computer, `/backupsets/${id}`))
          .send({ data: { id, warning } })
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
        const before = await setAt(request)
        const set = { ...before, ...(await checked(before, request.body)) }
        await sets.replace(set)
        noteChange(request, { before: setContent(before), after: setContent(set) })
        setChecks.tell(set, set.name, set.warning)
        return viewOf(set)
      },
    )
  }
}
