import { noteChange, RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { AgentLinks } from '../agents/agent-links.ts'
import { agentOffline } from '../agents/agent-links.ts'
import type { Dispatch } from '../agents/dispatch.ts'
import { RequestInvalid } from '../envelope.ts'
import { GivenSource, readSource } from '../given-source.ts'
import type { LiveProgress } from '../tasks/live-progress.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { cancelRoute } from './cancel-route.ts'
import { addressOf, computerPattern } from './computer-path.ts'
import * as examples from './examples.ts'
import { PageQuery, readPage } from './page.ts'
import { BackupView, ComputerPath, StartedView, TaskPath } from './schemas.ts'
import { backupView } from './views.ts'

const NewBackup = Type.Object(
  { source: GivenSource },
  { additionalProperties: false, title: 'NewBackup', examples: [{ source: examples.source }] },
)

/** What routes of backups and of restores need alike. */
export interface TaskRouteDependencies {
  readonly basePath: string
  readonly authorisation: Authorisation
  readonly tasks: Tasks
  readonly progress: LiveProgress
  readonly dispatch: Dispatch
  readonly links: AgentLinks
}

/** Backups of a computer: start, watch, cancel. */
export function backupRoutes(deps: TaskRouteDependencies) {
  const { basePath, authorisation, tasks, progress, dispatch, links } = deps
  const tags = ['Backups']

  return async (scope: FastifyInstance): Promise<void> => {
    scope.post<{ Params: AccountParams; Body: Static<typeof NewBackup> }>(
      `${computerPattern}/backups`,
      {
        onRequest: authorisation.require('computers_write'),
        schema: {
          operationId: 'startBackup',
          summary: 'Back a source of the computer up, now',
          tags,
          params: ComputerPath,
          body: NewBackup,
          response: { 202: StartedView },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        const source = readSource(request.body.source, '[source][path]')
        if (typeof source === 'string') throw new RequestInvalid([source])
        if (!links.isOnline(computer)) throw agentOffline()
        const backup = await tasks.startBackup(computer, { source })
        noteChange(request, { before: null, after: backupView(backup, undefined, undefined) })
        dispatch.start(computer, backup)
        return reply
          .code(202)
          .header('location', addressOf(basePath, computer, `/backups/${backup.id}`))
          .send({ data: { id: backup.id } })
      },
    )

    scope.get<{ Params: AccountParams; Querystring: Record<string, unknown> }>(
      `${computerPattern}/backups`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'listBackups',
          summary: "List the computer's backups, newest first",
          tags,
          params: ComputerPath,
          querystring: PageQuery,
          response: { 200: Type.Array(BackupView) },
        },
      },
      async (request) => {
        const records = await tasks.backups(authorisation.computerOf(request), readPage(request.query))
        return records.map((record) =>
          backupView(record, progress.of(record.id), progress.waitsFor(record.id)),
        )
      },
    )

    scope.get<{ Params: AccountParams & { id: string } }>(
      `${computerPattern}/backups/:id`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'getBackup',
          summary: 'Show how far a backup is, or how it ended',
          tags,
          params: TaskPath,
          response: { 200: BackupView },
        },
      },
      async (request) => {
        const record = await tasks.findBackup(authorisation.computerOf(request), request.params.id)
        if (!record) throw new RequestRefused('not-found', 'There is no such backup.')
        return backupView(record, progress.of(record.id), progress.waitsFor(record.id))
      },
    )

    cancelRoute(scope, { ...deps, kind: 'backup', operationId: 'cancelBackup', tags })
  }
}
