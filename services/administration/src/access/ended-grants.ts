import {
  type AuditTables,
  type GrantHolders,
  type ServiceAccount,
  type TransactionTables,
  writeAuditEntry,
} from '@palisade/platform'
import { type SqlBool, sql } from 'kysely'
import type { AdministrationTables } from '../tables.ts'
import { type Grant, readGrants } from './grants.ts'

/** Somebody with a grant for an account: an operator, or an API token of one. */
interface Holder {
  readonly table: 'admin_operator' | 'admin_token'
  readonly id: string
  /** As the audit log names him. */
  readonly target: string
  readonly grants: readonly Grant[]
}

/** How many operators and API tokens have a grant that {@link endGrants} would end. */
export async function countGrantHolders(
  tables: Pick<TransactionTables, 'tables'>,
  account: ServiceAccount,
): Promise<GrantHolders> {
  const holders = await holdersOf(tables, account)
  const count = (wanted: Holder['table']) => holders.filter(({ table }) => table === wanted).length
  return { operators: count('admin_operator'), tokens: count('admin_token') }
}

/**
 * Takes the grants for an account that is gone from operators and API tokens, with an entry of the audit log for each. What a configuration
 * file grants stays, as the file says it.
 *
 * @param now milliseconds since 1970
 */
export async function endGrants(
  tables: Pick<TransactionTables, 'tables'>,
  account: ServiceAccount,
  now: number,
): Promise<void> {
  for (const { table, id, target, grants } of await holdersOf(tables, account)) {
    const remainingGrants = grants.filter((grant) => !isFor(grant, account))
    await tables
      .tables<AdministrationTables>()
      .updateTable(table)
      .set({ grants: JSON.stringify(remainingGrants) })
      .where('id', '=', id)
      .execute()
    const entry = {
      actor: { kind: 'system', name: 'palisade', address: null } as const,
      service: 'administration',
      action: 'endGrants',
      target,
      before: { grants },
      after: { grants: remainingGrants },
    }
    await writeAuditEntry(tables.tables<AuditTables>(), entry, now)
  }
}

async function holdersOf(
  { tables }: Pick<TransactionTables, 'tables'>,
  account: ServiceAccount,
): Promise<Holder[]> {
  const db = tables<AdministrationTables>()
  const inList = JSON.stringify(account.accountId)
  const operators = await db
    .selectFrom('admin_operator')
    .select(['id', 'username', 'grants'])
    .where('managed_by', 'is', null)
    .where(sql<SqlBool>`replace(grants, ${inList}, '') <> grants`)
    .execute()
  const tokens = await db
    .selectFrom('admin_token')
    .innerJoin('admin_operator', 'admin_operator.id', 'admin_token.operator_id')
    .select(['admin_token.id as id', 'username', 'admin_token.grants as grants'])
    .where(sql<SqlBool>`replace(admin_token.grants, ${inList}, '') <> admin_token.grants`)
    .execute()
  const operatorPath = (username: string) => `/operators/${encodeURIComponent(username)}`
  const holders: Holder[] = [
    ...operators.map(({ id, username, grants }) => ({
      table: 'admin_operator' as const,
      id,
      target: operatorPath(username),
      grants: readGrants(grants),
    })),
    ...tokens.map(({ id, username, grants }) => ({
      table: 'admin_token' as const,
      id,
      target: `${operatorPath(username)}/tokens/${id}`,
      grants: readGrants(grants),
    })),
  ]
  return holders.filter(({ grants }) => grants.some((grant) => isFor(grant, account)))
}

function isFor(grant: Grant, { service, accountId }: ServiceAccount): boolean {
  return grant.service === service && grant.account === accountId
}
