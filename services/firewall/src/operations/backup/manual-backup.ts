import { RequestRefused } from '@palisade/platform'
import { FieldSet } from '../../kinds/field-set.ts'
import type { SpecialOperation } from '../../rest/special-operation.ts'
import { bodyOf } from '../../rest/write.ts'
import { administratorOf, answer, readOperationBody, textOf } from '../body.ts'
import { describedBody, describedMessage } from '../described.ts'
import { BackupKey, backupArchive } from './backup-archive.ts'
import type { BackupDependencies } from './backup-dependencies.ts'
import { places, refuseOtherPlaces } from './places.ts'

const title = 'Manual Backup'

const fields = new FieldSet(
  {
    destination: {
      type: 'choice',
      values: places,
      required: true,
      description: 'Local is the only one that this system writes to.',
    },
    'encrypt-backup': { type: 'yes-no', description: 'As the backup settings say, when left out.' },
    'backup-encryption-key': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      description: 'The one of the backup settings, when left out.',
    },
  },
  'manual-backup',
)

/** `PUT backup/manual-backup`: writes a backup. */
export function manualBackup(deps: BackupDependencies): SpecialOperation {
  const { transfer, backups, settings, clock, audit } = deps
  return {
    method: 'PUT',
    path: 'backup/manual-backup',
    mayBeDone: (permissions) => permissions.mayPerform('backup'),
    description: {
      operationId: 'makeBackup',
      summary: 'Write a backup of the configuration',
      tags: ['Backups'],
      requestBody: describedBody(title, fields),
      responses: describedMessage('The backup was written.'),
    },
    handle: async (call) => {
      const configured = settings()
      const options = { ...configured, ...readOperationBody(bodyOf(call.request), fields, title) }
      refuseOtherPlaces('destination', textOf(options.destination))
      const encryptionKey = textOf(options['backup-encryption-key'])
      const isEncrypted = options['encrypt-backup'] === 'Yes'
      if (isEncrypted && encryptionKey === '') {
        throw new RequestRefused(
          'bad-request',
          'There is no key to encrypt the backup with: give backup-encryption-key, or set it in the backup settings.',
        )
      }
      const key = isEncrypted ? await BackupKey.of(encryptionKey) : undefined
      const document = await transfer.export(key?.seal)
      const nameAt = (time: number) => nameOf(time, document['configuration-version'], isEncrypted)
      const filename = await backups.add(nameAt, clock.now(), await backupArchive(document, key))
      const keepCount = configured['backups-to-keep']
      if (typeof keepCount === 'number') await backups.keepNewest(keepCount)
      const what = 'the configuration was backed up'
      await audit.exported(administratorOf(call), { objectType: title, objectName: filename, what })
      return answer(call, { msg: 'The backup was written.', filename })
    },
  }
}

/** Names in the order of time. */
function nameOf(time: number, version: number, isEncrypted: boolean): string {
  const digits = new Date(time).toISOString().replaceAll(/[-:.]/g, '')
  return `configuration-${digits}-v${version}${isEncrypted ? '-encrypted' : ''}.backup`
}
