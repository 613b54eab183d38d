import { newSecret } from '@palisade/platform'
import type { SpecialOperation } from '../../rest/special-operation.ts'
import { answer } from '../body.ts'
import { describedData } from '../described.ts'
import type { BackupDependencies } from './backup-dependencies.ts'
import { listBackups } from './list-backups.ts'
import { manualBackup } from './manual-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { testConnectionOperation } from './test-connection.ts'

/** The verbs of `backup`: the object itself, which holds the settings, is a kind. */
export function backupOperations(deps: BackupDependencies): readonly SpecialOperation[] {
  return [
    manualBackup(deps),
    restoreBackup(deps),
    listBackups(deps),
    testConnectionOperation(deps),
    generateEncryptionKey(),
  ]
}

/** `GET backup/generate-encryptionkey`: a new random key, which is kept nowhere. */
function generateEncryptionKey(): SpecialOperation {
  return {
    method: 'GET',
    path: 'backup/generate-encryptionkey',
    mayBeDone: (permissions) => permissions.mayPerform('backup'),
    refusedToReaders: 'A key for backups is a secret, and whoever may only read makes no backups.',
    description: {
      operationId: 'generateBackupKey',
      summary: 'Make a new random key for encrypted backups, without keeping it',
      tags: ['Backups'],
      responses: describedData('The key.'),
    },
    handle: async (call) =>
      answer(call, { object: 'Backups', data: { Backups: { 'backup-encryption-key': newSecret() } } }),
  }
}
