import { noteChange } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { ActionOutcome } from '../actions/action.ts'
import type { Actions } from '../actions/actions.ts'
import type { AgentLinks } from '../agents/agent-links.ts'
import type { ComputerId } from '../computer-id.ts'
import { RequestInvalid } from '../envelope.ts'
import type { Revision, Revisions } from '../revisions/revisions.ts'
import type { SetRuns } from '../sets/set-runs.ts'
import type { BackupSet, Sets } from '../sets/sets.ts'
import type { RevisionRemoval } from '../upkeep/revision-removal.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { ComputerPath, StartedView } from './schemas.ts'
import { actionView, setContent } from './views.ts'

const SetToRun = Type.Object(
  { backupSetId: Type.String() },
  { additionalProperties: false, title: 'SetToRun', examples: [{ backupSetId: '3' }] },
)
const SetToToggle = Type.Object(
  { backupSetId: Type.String(), value: Type.Boolean({ description: 'whether its schedule counts' }) },
  { additionalProperties: false, title: 'SetToToggle', examples: [{ backupSetId: '3', value: false }] },
)
const SetToDelete = Type.Object(
  {
    backupSetId: Type.String(),
    deleteData: Type.Optional(Type.Boolean({ description: 'also its revisions; not when left out' })),
  },
  { additionalProperties: false, title: 'SetToDelete', examples: [{ backupSetId: '3' }] },
)

const success = { state: 'SUCCESS', reason: '' } as const

/** What is done with backup sets; each is an action, whose id is answered. */
export function setActionRoutes(deps: {
  readonly authorisation: Authorisation
  readonly sets: Sets
  readonly actions: Actions
  readonly runs: SetRuns
  readonly revisions: Revisions
  readonly removal: RevisionRemoval
  readonly links: AgentLinks
}) {
  const { authorisation, sets, actions, runs, revisions, removal, links } = deps
  const tags = ['Backup sets']
  const onRequest = authorisation.require('computers_write')

  /** @throws RequestInvalid with the code of the reference when the body names a set that is not there */
  async function setNamed(computer: ComputerId, id: string): Promise<BackupSet> {
    const set = await sets.find(computer, id)
    if (!set) throw noSuchSet()
    return set
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.post<{ Params: AccountParams; Body: Static<typeof SetToRun> }>(
      `${computerPattern}/backupsets/run`,
      {
        onRequest,
        schema: {
          operationId: 'runBackupSet',
          summary: 'Back the volumes of a set up now, or as soon as the agent is there',
          description: '200 when the agent is connected, 202 when it is not. The id is that of an action.',
          tags,
          params: ComputerPath,
          body: SetToRun,
          response: { 200: StartedView, 202: StartedView },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        const set = await setNamed(computer, request.body.backupSetId)
        const action = await runs.request(set)
        noteChange(request, { before: null, after: actionView(action) })
        return reply.code(links.isOnline(computer) ? 200 : 202).send({ data: { id: String(action.id) } })
      },
    )

    scope.post<{ Params: AccountParams; Body: Static<typeof SetToToggle> }>(
      `${computerPattern}/backupsets/toggle`,
      {
        onRequest,
        schema: {
          operationId: 'toggleBackupSet',
          summary: 'Let the schedule of a backup set count, or not',
          tags,
          params: ComputerPath,
          body: SetToToggle,
          response: { 200: StartedView },
        },
      },
      async (request) => {
        const computer = authorisation.computerOf(request)
        const set = await setNamed(computer, request.body.backupSetId)
        const toggled = { ...set, enabled: request.body.value }
        await sets.replace(toggled)
        noteChange(request, { before: setContent(set), after: setContent(toggled) })
        const { id } = await actions.enter(computer, 'toggle-set', { setId: set.id, outcome: success })
        return { data: { id: String(id) } }
      },
    )

    scope.post<{ Params: AccountParams; Body: Static<typeof SetToDelete> }>(
      `${computerPattern}/backupsets/delete`,
      {
        onRequest,
        schema: {
          operationId: 'deleteBackupSet',
          summary: 'Delete a backup set; its revisions stay unless deleteData says otherwise',
          tags,
          params: ComputerPath,
          body: SetToDelete,
          response: { 200: StartedView },
        },
      },
      async (request) => {
        const computer = authorisation.computerOf(request)
        const set = await setNamed(computer, request.body.backupSetId)
        if (!(await sets.delete(set.id))) throw noSuchSet()
        const { deleted, outcome } =
          request.body.deleteData === true ? await deleteData(set) : { deleted: [], outcome: success }
        const revisionsOf = deleted.length > 0 ? { revisions: deleted } : {}
        noteChange(request, { before: { ...setContent(set), ...revisionsOf }, after: null })
        const { id } = await actions.enter(computer, 'delete-set', { setId: set.id, outcome })
        return { data: { id: String(id) } }
      },
    )
  }

  /** Deletes the revisions of a set, but for those that are pinned or being restored. */
  async function deleteData(
    set: BackupSet,
  ): Promise<{ readonly deleted: readonly number[]; readonly outcome: ActionOutcome }> {
    const ids = (await revisions.ofSet(set, set.id)).map(({ id }) => id)
    const deleted = await removal.remove(set, ids)
    const remainingRevisions = await revisions.find(set, ids)
    if (remainingRevisions.length === 0) return { deleted, outcome: success }
    const reasons = [
      ...idsText(
        'these revisions are pinned and stay',
        remainingRevisions.filter(({ isPinned }) => isPinned),
      ),
      ...idsText(
        'these revisions are being restored and stay',
        remainingRevisions.filter(({ isPinned }) => !isPinned),
      ),
    ]
    return { deleted, outcome: { state: 'WARNING', reason: reasons.join('; ') } }
  }
}

function idsText(text: string, revisions: readonly Revision[]): string[] {
  return revisions.length === 0 ? [] : [`${text}: ${revisions.map(({ id }) => id).join(', ')}`]
}

function noSuchSet(): RequestInvalid {
  return new RequestInvalid(['ErrorCode.BackupSetActions_NotFound'])
}
