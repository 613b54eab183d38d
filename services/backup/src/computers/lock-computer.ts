import { RequestRefused } from '@palisade/platform'
import type { Transaction } from 'kysely'
import type { ComputerId } from '../computer-id.ts'
import type { BackupTables } from '../tables.ts'

/**
 * Keeps other transactions that lock the same computer waiting until this one ends: what is read in it stays true.
 *
 * @throws RequestRefused not-found when there is no such computer, or no more since it was looked up
 */
export async function lockComputer(
  transaction: Transaction<BackupTables>,
  { accountId, computerId }: ComputerId,
): Promise<void> {
  // SQLite has no SELECT … FOR UPDATE; an update that changes nothing locks the row in both engines.
  const { numUpdatedRows } = await transaction
    .updateTable('backup_computer')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('account_id', '=', accountId)
    .where('id', '=', computerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new RequestRefused('not-found', 'There is no such computer.')
}
