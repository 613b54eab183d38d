import { noteChange, RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import type { Dispatch } from '../agents/dispatch.ts'
import type { TaskKind } from '../tables.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { StartedView, TaskPath } from './schemas.ts'

/** `POST …/cancel` of a backup or a restore. The agent ends it; when it is offline, as soon as it connects. */
export function cancelRoute(
  scope: FastifyInstance,
  deps: {
    readonly kind: TaskKind
    readonly operationId: string
    readonly tags: readonly string[]
    readonly authorisation: Authorisation
    readonly tasks: Tasks
    readonly dispatch: Dispatch
  },
): void {
  const { kind, operationId, tags, authorisation, tasks, dispatch } = deps
  scope.post<{ Params: AccountParams & { id: string } }>(
    `${computerPattern}/${kind}s/:id/cancel`,
    {
      onRequest: authorisation.require('computers_write'),
      schema: {
        operationId,
        summary: `End a ${kind} that is under way`,
        tags: [...tags],
        params: TaskPath,
        response: { 202: StartedView },
      },
    },
    async (request, reply) => {
      const computer = authorisation.computerOf(request)
      const { id } = request.params
      const outcome = await tasks.requestCancel(computer, kind, id)
      if (outcome === 'unknown') throw new RequestRefused('not-found', `There is no such ${kind}.`)
      if (outcome === 'ended') throw new RequestRefused('conflict', `The ${kind} has already ended.`)
      noteChange(request, outcome)
      dispatch.cancel(computer, kind, id)
      return reply.code(202).send({ data: { id } })
    },
  )
}
