import { noteChange, RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { RequestInvalid } from '../envelope.ts'
import type { Revision, Revisions } from '../revisions/revisions.ts'
import type { RequestedVerifications } from '../upkeep/requested-verifications.ts'
import type { RevisionRemoval } from '../upkeep/revision-removal.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { PageQuery, readPage } from './page.ts'
import { ComputerPath, HardwareView, RevisionDetailsView, StartedView, TaskPath } from './schemas.ts'
import { hardwareView, revisionDetailsView } from './views.ts'

const VerificationWish = Type.Object(
  {
    samplePercent: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'a random part of the chunks; all of them when left out',
      }),
    ),
  },
  { additionalProperties: false, title: 'VerificationWish', examples: [{ samplePercent: 100 }] },
)
/** Clients send the id as a number or as a text (reference, section 2.3). */
const RevisionWish = Type.Object(
  { id: Type.Union([Type.Integer(), Type.String()]) },
  { title: 'RevisionWish', examples: [{ id: 17 }] },
)

const pinning = [
  {
    method: 'POST',
    operationId: 'pinRevision',
    summary: 'Pin a revision, so that neither retention nor a caller deletes it',
    isPinned: true,
  },
  {
    method: 'DELETE',
    operationId: 'unpinRevision',
    summary: 'Unpin a revision, so that it can be deleted again',
    isPinned: false,
  },
] as const

interface RevisionRoute {
  Params: AccountParams & { id: string }
}

/** Single revisions: shown, verified, pinned, deleted; and the machine that one is of. */
export function revisionRoutes(deps: {
  readonly authorisation: Authorisation
  readonly revisions: Revisions
  readonly removal: RevisionRemoval
  readonly verifications: RequestedVerifications
}) {
  const { authorisation, revisions, removal, verifications } = deps
  const tags = ['Revisions']

  async function revisionOf(request: FastifyRequest, id: string): Promise<Revision> {
    const computer = authorisation.computerOf(request)
    const [revision] = /^\d{1,15}$/.test(id) ? await revisions.find(computer, [Number(id)]) : []
    if (!revision) throw noSuchRevision()
    return revision
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<{ Params: AccountParams; Querystring: Record<string, unknown> }>(
      `${computerPattern}/revisions`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'listRevisions',
          summary: "List the computer's revisions, newest first, system volumes included",
          tags,
          params: ComputerPath,
          querystring: PageQuery,
          response: { 200: Type.Array(RevisionDetailsView) },
        },
      },
      async (request) => {
        const page = readPage(request.query)
        return (await revisions.newest(authorisation.computerOf(request), page)).map(revisionDetailsView)
      },
    )

    scope.get<RevisionRoute>(
      `${computerPattern}/revisions/:id`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'getRevision',
          summary: 'Show one revision',
          tags,
          params: TaskPath,
          response: { 200: RevisionDetailsView },
        },
      },
      async (request) => revisionDetailsView(await revisionOf(request, request.params.id)),
    )

    scope.delete<RevisionRoute>(
      `${computerPattern}/revisions/:id`,
      {
        onRequest: authorisation.require('computers_write'),
        schema: {
          operationId: 'deleteRevision',
          summary: 'Delete a revision, for good',
          description: 'Answers 409 while the revision is pinned or being restored.',
          tags,
          params: TaskPath,
          response: { 204: Type.Null({ description: 'it is gone' }) },
        },
      },
      async (request, reply) => {
        const revision = await revisionOf(request, request.params.id)
        const { id } = revision
        const removed = await removal.remove(authorisation.computerOf(request), [id])
        if (removed.length === 0) {
          const { isPinned } = await revisionOf(request, request.params.id)
          const reason = isPinned ? 'pinned: unpin it before you delete it' : 'being restored'
          throw new RequestRefused('conflict', `This revision is ${reason}.`)
        }
        noteChange(request, { before: revisionDetailsView(revision), after: null })
        return reply.code(204).send()
      },
    )

    for (const { method, operationId, summary, isPinned } of pinning) {
      scope.route<RevisionRoute>({
        method,
        url: `${computerPattern}/revisions/:id/pin`,
        onRequest: authorisation.require('computers_write'),
        schema: {
          operationId,
          summary,
          description: 'Answers 204 as well when it was so before.',
          tags,
          params: TaskPath,
          response: { 204: Type.Null({ description: 'it is so' }) },
        },
        handler: async (request, reply) => {
          const revision = await revisionOf(request, request.params.id)
          if (!(await revisions.setPinned(authorisation.computerOf(request), revision.id, isPinned)))
            throw noSuchRevision()
          const after = revisionDetailsView({ ...revision, isPinned })
          noteChange(request, { before: revisionDetailsView(revision), after })
          return reply.code(204).send()
        },
      })
    }

    scope.post<RevisionRoute & { Body: Static<typeof VerificationWish> }>(
      `${computerPattern}/revisions/:id/verify`,
      {
        onRequest: authorisation.require('computers_write'),
        schema: {
          operationId: 'verifyRevision',
          summary: 'Read a revision in the vault and compare it with what was backed up',
          description: 'The id is that of an action; what came of it is shown with the revision.',
          tags,
          params: TaskPath,
          body: VerificationWish,
          response: { 202: StartedView },
        },
      },
      async (request, reply) => {
        const { id } = await revisionOf(request, request.params.id)
        const computer = authorisation.computerOf(request)
        const { samplePercent = 100 } = request.body
        const action = await verifications.request(computer, id, samplePercent)
        noteChange(request, { before: null, after: { action: String(action), revision: id, samplePercent } })
        return reply.code(202).send({ data: { id: String(action) } })
      },
    )

    scope.post<{ Params: AccountParams; Body: Static<typeof RevisionWish> }>(
      `${computerPattern}/restore/diskimage/standard/hardware`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'getHardwareConfiguration',
          summary: 'Show the machine that a revision of a boot volume is of',
          tags,
          params: ComputerPath,
          body: RevisionWish,
          response: { 200: HardwareView },
        },
      },
      async (request) => {
        const revision = await revisionOf(request, String(request.body.id))
        if (!revision.hardware) {
          throw new RequestInvalid([
            '[id] is invalid: no hardware configuration is stored with this revision',
          ])
        }
        return hardwareView(revision.hardware, revision)
      },
    )
  }
}

function noSuchRevision(): RequestRefused {
  return new RequestRefused('not-found', 'There is no such revision.')
}
