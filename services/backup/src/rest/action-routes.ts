import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Actions, OwnedAction } from '../actions/actions.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { ActionInfoView, ActionStatusView, TaskPath } from './schemas.ts'
import { actionView } from './views.ts'

interface ActionRoute {
  Params: AccountParams & { id: string }
}

/** What came of the actions whose ids other operations have answered with. */
export function actionRoutes(deps: {
  readonly authorisation: Authorisation
  readonly actions: Actions
  readonly tasks: Tasks
}) {
  const { authorisation, actions, tasks } = deps
  const tags = ['Actions']
  const onRequest = authorisation.require('computers_read')

  /** @throws RequestRefused not-found */
  async function actionAt(request: FastifyRequest<ActionRoute>): Promise<OwnedAction> {
    const { id } = request.params
    const isId = /^[1-9]\d{0,14}$/.test(id)
    const action = isId ? await actions.find(authorisation.computerOf(request), Number(id)) : undefined
    if (!action) throw new RequestRefused('not-found', 'There is no such action.')
    return action
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<ActionRoute>(
      `${computerPattern}/action/:id/status`,
      {
        onRequest,
        schema: {
          operationId: 'getActionStatus',
          summary: 'Show the status of an action',
          tags,
          params: TaskPath,
          response: { 200: ActionStatusView },
        },
      },
      async (request) => {
        const { status, reason } = actionView(await actionAt(request))
        return { data: { status, reason } }
      },
    )

    scope.get<ActionRoute>(
      `${computerPattern}/backupsets/:id/info`,
      {
        onRequest,
        schema: {
          operationId: 'getBackupSetAction',
          summary: 'Show an action of a backup set, and the backups of a run',
          tags,
          params: TaskPath,
          response: { 200: ActionInfoView },
        },
      },
      async (request) => {
        const action = await actionAt(request)
        const backups = (await tasks.ofAction(action.id)).map(({ id }) => id)
        return { data: { ...actionView(action), backups } }
      },
    )
  }
}
