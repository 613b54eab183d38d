import type { Kysely } from 'kysely'
import type { BackupTables } from '../tables.ts'

/**
 * Removes those of some pictures that belong to the newest proof of no revision.
 *
 * @param restoreIds of the proofs that the pictures were made for
 */
export async function forgetUnusedScreenshots(
  tables: Kysely<BackupTables>,
  restoreIds: readonly string[],
): Promise<void> {
  if (restoreIds.length === 0) return
  const used = tables
    .selectFrom('backup_revision')
    .select('proof_restore_id')
    .where('proof_restore_id', 'in', restoreIds)
  await tables
    .deleteFrom('backup_screenshot')
    .where('restore_id', 'in', restoreIds)
    .where('restore_id', 'not in', used)
    .execute()
}
