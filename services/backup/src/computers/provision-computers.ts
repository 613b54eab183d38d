import { rowBatches, type Store } from '@palisade/platform'
import type { Transaction } from 'kysely'
import { domainOf } from '../computer-id.ts'
import type { BackupConfiguration } from '../configuration.ts'
import type { BackupTables } from '../tables.ts'
import type { EnrolmentDigests } from './enrolment-digest.ts'
import { notDeleted, takeBackWithAccount } from './take-back.ts'

/**
 * Adds the accounts and computers or brings them to what is given; deletes nothing, and takes back what was deleted. A new
 * enrolment key counts from the next enrolment on: an agent that has enrolled keeps its credential.
 *
 * @param managedBy the configuration file that names them; what it names no more is administered at run time from then on
 */
export async function provisionComputers(
  accounts: BackupConfiguration['accounts'],
  managedBy: string | null,
  { store, digests }: { readonly store: Store; readonly digests: EnrolmentDigests },
): Promise<void> {
  await store
    .tables<BackupTables>()
    .transaction()
    .execute(async (transaction) => {
      for (const table of ['backup_account', 'backup_computer'] as const) {
        await transaction
          .updateTable(table)
          .set({ managed_by: null })
          .where('managed_by', 'is not', null)
          .execute()
      }
      await beginAnew(transaction, accounts)
      for (const { id: accountId, computers } of accounts) {
        const account = { managed_by: managedBy, deleted_at: null, purge_at: null }
        await transaction
          .insertInto('backup_account')
          .values({ id: accountId, ...account })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(account))
          .execute()
        await takeBackWithAccount(transaction, accountId)
        const rows = computers.map(({ id: computerId, name, enrolmentKey }) => ({
          account_id: accountId,
          id: computerId,
          name,
          enrolment_digest: digests.of({ accountId, computerId }, enrolmentKey),
          managed_by: managedBy,
        }))
        for (const batch of rowBatches(rows)) {
          await transaction
            .insertInto('backup_computer')
            .values(batch)
            .onConflict((conflict) =>
              conflict.columns(['account_id', 'id']).doUpdateSet(({ ref }) => ({
                name: ref('excluded.name'),
                enrolment_digest: ref('excluded.enrolment_digest'),
                managed_by: ref('excluded.managed_by'),
                ...notDeleted,
              })),
            )
            .execute()
        }
      }
    })
}

/**
 * Of what is being removed nothing is left to be taken back: a computer that is named again while that goes on is another one, without
 * the agent and the keys of the one before.
 */
async function beginAnew(
  transaction: Transaction<BackupTables>,
  accounts: BackupConfiguration['accounts'],
): Promise<void> {
  const rows = await transaction
    .selectFrom('backup_computer')
    .select(['account_id as accountId', 'id as computerId'])
    .where('deleted_at', 'is not', null)
    .where('purging', '=', 1)
    .execute()
  const ids = new Set(
    accounts.flatMap(({ id, computers }) =>
      computers.map((one) => domainOf({ accountId: id, computerId: one.id })),
    ),
  )
  for (const row of rows.filter((one) => ids.has(domainOf(one)))) {
    await transaction
      .updateTable('backup_computer')
      .set({
        credential_digest: null,
        revoked_enrolment_digest: null,
        end_to_end_key_check: null,
        last_seen_at: null,
        agent_version: null,
        host_name: null,
        platform: null,
        purging: 0,
      })
      .where('account_id', '=', row.accountId)
      .where('id', '=', row.computerId)
      .execute()
  }
}
