import { type Clock, newSecret } from '@palisade/platform'
import type { AddressGuard } from '@palisade/proxy-protocol'
import type { Values } from '../../kinds/values.ts'
import type { AuditLog } from '../../logs/audit-log.ts'
import { answer } from '../body.ts'
import { describedData } from '../described.ts'
import type { ImportDependencies } from '../import-configuration.ts'
import type { SpecialOperation } from '../operation.ts'
import type { BackupFolder } from './backup-folder.ts'
import { listBackups } from './list-backups.ts'
import { manualBackup } from './manual-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { testConnectionOperation } from './test-connection.ts'

/** What backups are made and restored with. */
export interface BackupDependencies extends ImportDependencies {
  readonly folder: BackupFolder
  /** What the configuration says about backups. */
  readonly settings: () => Values
  readonly clock: Clock
  readonly audit: AuditLog
  /** Keeps connections from where the operator has forbidden them. */
  readonly guard: () => AddressGuard
}

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
