import { RequestRefused } from '@palisade/platform'
import { refuseOtherParameters } from '../../rest/query.ts'
import type { SpecialOperation } from '../../rest/special-operation.ts'
import { answer } from '../body.ts'
import { describedData, describedParameter } from '../described.ts'
import type { BackupDependencies } from './backup-dependencies.ts'
import { places, refuseOtherPlaces } from './places.ts'

/** `GET backup/get-remote-backup`: the backups that there are. */
export function listBackups({ backups }: BackupDependencies): SpecialOperation {
  return {
    method: 'GET',
    path: 'backup/get-remote-backup',
    mayBeDone: (permissions) => permissions.mayPerform('backup') || permissions.mayPerform('restore-backup'),
    description: {
      operationId: 'listBackups',
      summary: 'List the backups of the configuration',
      tags: ['Backups'],
      parameters: [describedParameter('server-type', 'Local, which it also is when left out.')],
      responses: describedData('The backups by their file names, newest first.'),
    },
    handle: async (call) => {
      const { query } = call.request
      refuseOtherParameters(query, ['server-type'])
      refuseOtherPlaces('server-type', placeIn(query['server-type']))
      const files = await backups.list()
      const data = files.map(({ filename, sizeBytes, writtenAt }) => [
        filename,
        { filename, size: String(sizeBytes), date: new Date(writtenAt).toISOString(), source: 'Local' },
      ])
      return answer(call, {
        object: 'Backups',
        ...(files.length === 0 ? {} : { data: Object.fromEntries(data) }),
      })
    },
  }
}

function placeIn(value: unknown): string {
  if (value === undefined) return 'Local'
  const match = places.find((place) => place.toLowerCase() === String(value).toLowerCase())
  if (match !== undefined) return match
  throw new RequestRefused('bad-request', `The parameter server-type must be one of ${places.join(', ')}.`, {
    field: 'server-type',
  })
}
