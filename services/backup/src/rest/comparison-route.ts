import { noteChange, RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { RequestInvalid } from '../envelope.ts'
import { pathLengthMax, readSource } from '../given-source.ts'
import type { Revisions } from '../revisions/revisions.ts'
import type { DiskComparisons } from '../upkeep/disk-comparisons.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { StartedView, TaskPath } from './schemas.ts'

const DiskToCompare = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: pathLengthMax,
      description:
        'of a VHD, VHDX or raw image on the computer, absolute; may end in # and the number of a partition, such as /images/web.raw#2',
    }),
    partition: Type.Optional(
      Type.Integer({ minimum: 1, description: 'by default the one that is as long as the volume' }),
    ),
  },
  { additionalProperties: false, title: 'DiskToCompare', examples: [{ path: '/srv/restored/root.vhdx' }] },
)

/** Has the agent compare a disk, such as one that was restored, with a revision. */
export function comparisonRoute(deps: {
  readonly authorisation: Authorisation
  readonly revisions: Revisions
  readonly comparisons: DiskComparisons
}) {
  const { authorisation, revisions, comparisons } = deps
  return async (scope: FastifyInstance): Promise<void> => {
    scope.post<{ Params: AccountParams & { id: string }; Body: Static<typeof DiskToCompare> }>(
      `${computerPattern}/revisions/:id/compare`,
      {
        onRequest: authorisation.require('computers_write'),
        schema: {
          operationId: 'compareDiskWithRevision',
          summary: 'Read a disk of the computer and compare the volume on it with a revision',
          description:
            'The id is that of an action, which ends with SUCCESS when every chunk is as it was backed up, and otherwise ' +
            'with ERROR and what differs.',
          tags: ['Revisions'],
          params: TaskPath,
          body: DiskToCompare,
          response: { 202: StartedView },
        },
      },
      async (request, reply) => {
        const computer = authorisation.computerOf(request)
        const { id } = request.params
        const [revision] = /^\d{1,15}$/.test(id) ? await revisions.find(computer, [Number(id)]) : []
        if (!revision) throw new RequestRefused('not-found', 'There is no such revision.')
        const disk = readSource(request.body, '[path]')
        if (typeof disk === 'string') throw new RequestInvalid([disk])
        const action = await comparisons.request(computer, revision, disk)
        noteChange(request, { before: null, after: { action: String(action), revision: revision.id, disk } })
        return reply.code(202).send({ data: { id: String(action) } })
      },
    )
  }
}
