import { noteChange, RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HostQuestions } from '../agents/host-questions.ts'
import type { ComputerId } from '../computer-id.ts'
import { removeMachine } from '../machines/remove-machine.ts'
import { type MachineRestoreDependencies, startMachineRestore } from '../machines/start-machine-restore.ts'
import { startRestore } from '../restore/start-restore.ts'
import { startServing } from '../restore/start-serving.ts'
import type { AccountParams } from './authorisation.ts'
import type { TaskRouteDependencies } from './backup-routes.ts'
import { cancelRoute } from './cancel-route.ts'
import { addressOf, computerPattern } from './computer-path.ts'
import { MachineRestore } from './host-schemas.ts'
import { PageQuery, readPage } from './page.ts'
import { ComputerPath, DiskRestore, DisksToServe, RestoreView, TaskPath } from './schemas.ts'
import { restoreView } from './views.ts'

const RestoreAccepted = Type.Null({
  description: 'the restore was accepted',
  headers: {
    'X-Restore-Id': Type.String({ description: 'the id of the restore' }),
    Location: Type.String({ description: 'where to watch it' }),
  },
})

/** Restores of a computer: start, watch, cancel. */
export function restoreRoutes(
  deps: TaskRouteDependencies & MachineRestoreDependencies & { readonly hostQuestions: HostQuestions },
) {
  const { basePath, authorisation, tasks, progress } = deps
  const tags = ['Restores']

  async function accepted(request: FastifyRequest, reply: FastifyReply, computer: ComputerId, id: string) {
    const record = await tasks.findRestore(computer, id)
    if (record) {
      const after = { ...restoreView(record, undefined), request: request.body }
      noteChange(request, { before: null, after })
    }
    return reply
      .code(204)
      .headers({ location: addressOf(basePath, computer, `/restores/${id}`), 'x-restore-id': id })
      .send()
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.post<{ Params: AccountParams }>(
      `${computerPattern}/restore/diskimage/standard/vhd`,
      {
        onRequest: authorisation.require('computers_write'),
        // The schema is for the OpenAPI document; what is wrong is told in the specification's words.
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'restoreAsDisks',
          summary: 'Restore revisions as virtual disks',
          description: 'Accepted when the reply is 204. X-Restore-Id and Location say where to watch it.',
          tags,
          params: ComputerPath,
          body: DiskRestore,
          response: {
            204: RestoreAccepted,
          },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        return accepted(request, reply, computer, await startRestore(computer, request.body, deps))
      },
    )

    scope.post<{ Params: AccountParams }>(
      `${computerPattern}/restore/diskimage/standard/vm`,
      {
        onRequest: authorisation.require('computers_write'),
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'restoreAsMachine',
          summary: 'Restore revisions as a virtual machine on a registered host',
          description:
            'Accepted when the reply is 204, and not done then. X-Restore-Id and Location say where to watch it. A ' +
            'TestRecovery has no network; a ProductionRecovery is attached to the switch that is named. `start`, ' +
            '`instantStart` and `prove…` are additions of this server.',
          tags,
          params: ComputerPath,
          body: MachineRestore,
          response: { 204: RestoreAccepted },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        return accepted(request, reply, computer, await startMachineRestore(computer, request.body, deps))
      },
    )

    scope.post<{ Params: AccountParams }>(
      `${computerPattern}/restore/diskimage/standard/nbd`,
      {
        onRequest: authorisation.require('computers_write'),
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'serveDisks',
          summary: 'Let programs of the computer read revisions as disks, without restoring them',
          description:
            'For single files. Accepted when the reply is 204. X-Restore-Id and Location say where to watch it: as soon as ' +
            '`served` is there, an NBD server of the agent listens at its socket, and has each revision as `revision-` and its ' +
            'id, read-only. It ends when it is cancelled, or when nobody has been connected for a minute. An addition of this server.',
          tags,
          params: ComputerPath,
          body: DisksToServe,
          response: { 204: RestoreAccepted },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        return accepted(request, reply, computer, await startServing(computer, request.body, deps))
      },
    )

    scope.get<{ Params: AccountParams; Querystring: Record<string, unknown> }>(
      `${computerPattern}/restores`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'listRestores',
          summary: "List the computer's restores, newest first",
          tags,
          params: ComputerPath,
          querystring: PageQuery,
          response: { 200: Type.Array(RestoreView) },
        },
      },
      async (request) => {
        const records = await tasks.restores(authorisation.computerOf(request), readPage(request.query))
        return records.map((record) => restoreView(record, progress.of(record.id)))
      },
    )

    scope.get<{ Params: AccountParams & { id: string } }>(
      `${computerPattern}/restores/:id`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'getRestore',
          summary: 'Show how far a restore is, or how it ended',
          tags,
          params: TaskPath,
          response: { 200: RestoreView },
        },
      },
      async (request) => {
        const record = await tasks.findRestore(authorisation.computerOf(request), request.params.id)
        if (!record) throw new RequestRefused('not-found', 'There is no such restore.')
        return restoreView(record, progress.of(record.id))
      },
    )

    scope.delete<{ Params: AccountParams & { id: string } }>(
      `${computerPattern}/restores/:id/machine`,
      {
        onRequest: authorisation.require('computers_write'),
        schema: {
          operationId: 'removeMachine',
          summary: 'Remove the machine that a restore made, running or not, with its disks',
          tags,
          params: TaskPath,
          response: { 204: Type.Null({ description: 'it is gone' }) },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        const record = await tasks.findRestore(computer, request.params.id)
        if (!record || !(await removeMachine(computer, record, deps))) {
          throw new RequestRefused('not-found', 'There is no such machine.')
        }
        const [before, after] = [record, { ...record, machine: null }].map((one) =>
          restoreView(one, undefined),
        )
        noteChange(request, { before: before ?? null, after: after ?? null })
        return reply.code(204).send()
      },
    )

    cancelRoute(scope, { ...deps, kind: 'restore', operationId: 'cancelRestore', tags })
  }
}
