import { type SqlBool, sql } from 'kysely'
import type { ServiceAccount } from '../administration/grant-holders.ts'
import type { TransactionTables } from '../database/store.ts'
import { readList, writeList } from '../database/stored-texts.ts'
import type { OAuthTables } from './tables.ts'

/** The clients of a service that have part in an account, and all accounts of each; those that a file manages are left out. */
export async function clientsWithAccount(
  { tables }: Pick<TransactionTables, 'tables'>,
  { service, accountId }: ServiceAccount,
): Promise<{ readonly clientId: string; readonly accounts: readonly string[] }[]> {
  const inList = JSON.stringify(accountId)
  const rows = await tables<OAuthTables>()
    .selectFrom('oauth_client')
    .select(['client_id as clientId', 'accounts'])
    .where('service', '=', service)
    .where('managed_by', 'is', null)
    .where(sql<SqlBool>`replace(accounts, ${inList}, '') <> accounts`)
    .execute()
  return rows
    .map(({ clientId, accounts }) => ({ clientId, accounts: readList(accounts) }))
    .filter(({ accounts }) => accounts.includes(accountId))
}

/**
 * Takes an account that is deleted from its clients, so that none of them has part in another one that is given its id. What a
 * configuration file says of clients stays. To be followed by `forget` of `ClientCredentials`.
 */
export async function withdrawAccount(
  tables: Pick<TransactionTables, 'tables'>,
  { service, accountId }: ServiceAccount,
): Promise<void> {
  for (const { clientId, accounts } of await clientsWithAccount(tables, { service, accountId })) {
    await tables
      .tables<OAuthTables>()
      .updateTable('oauth_client')
      .set({ accounts: writeList(accounts.filter((one) => one !== accountId)) })
      .where('service', '=', service)
      .where('client_id', '=', clientId)
      .execute()
  }
}
