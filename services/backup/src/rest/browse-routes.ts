import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Revisions } from '../revisions/revisions.ts'
import { isSystemVolume } from '../system-volume.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { ComputerPath, RevisionDetailsView } from './schemas.ts'
import { revisionDetailsView } from './views.ts'

const browse = `${computerPattern}/restore/diskimage/standard/browse`

/** What of a computer can be restored. */
export function browseRoutes(deps: { readonly authorisation: Authorisation; readonly revisions: Revisions }) {
  const { authorisation, revisions } = deps
  const tags = ['Restores']

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<{ Params: AccountParams }>(
      `${browse}/volumes`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'browseVolumes',
          summary: 'List the newest revision of each volume',
          tags,
          params: ComputerPath,
          response: { 200: Type.Array(RevisionDetailsView) },
        },
      },
      async (request) => {
        const newest = await revisions.newestOfEachVolume(authorisation.computerOf(request))
        // They come along with the boot volumes that they belong to (reference, section 2.2).
        return newest.filter(({ volume }) => !isSystemVolume(volume)).map(revisionDetailsView)
      },
    )

    scope.get<{ Params: AccountParams; Querystring: Record<string, unknown> }>(
      `${browse}/revisions`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'browseRevisions',
          summary: 'List the revisions of one volume, newest first',
          tags,
          params: ComputerPath,
          querystring: Type.Object({ deviceId: Type.String({ description: 'as listed with the volumes' }) }),
          response: { 200: Type.Array(RevisionDetailsView) },
        },
      },
      async (request) => {
        const { deviceId } = request.query
        if (typeof deviceId !== 'string' || deviceId === '') {
          throw new RequestRefused('bad-request', '[deviceid] is missing or invalid')
        }
        return (await revisions.ofVolume(authorisation.computerOf(request), deviceId)).map(
          revisionDetailsView,
        )
      },
    )
  }
}
