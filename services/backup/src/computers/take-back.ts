import type { Kysely } from 'kysely'
import type { ComputerId } from '../computer-id.ts'
import type { BackupTables } from '../tables.ts'

/** What says of a row of a computer that it is not deleted. */
export const notDeleted = { deleted_at: null, purge_at: null, deleted_with_account: 0 } as const

/**
 * Takes back the computers that were deleted with their account. Their sets go on when their timers are set anew.
 *
 * @returns how many these are
 */
export async function takeBackWithAccount(tables: Kysely<BackupTables>, accountId: string): Promise<bigint> {
  const { numUpdatedRows } = await tables
    .updateTable('backup_computer')
    .set(notDeleted)
    .where('account_id', '=', accountId)
    .where('deleted_with_account', '=', 1)
    .where('purging', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows
}

/** Takes back one computer that was deleted. */
export async function takeBack(
  tables: Kysely<BackupTables>,
  { accountId, computerId }: ComputerId,
): Promise<void> {
  await tables
    .updateTable('backup_computer')
    .set(notDeleted)
    .where('account_id', '=', accountId)
    .where('id', '=', computerId)
    .execute()
}
