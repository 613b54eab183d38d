import { sql } from 'kysely'
import type { Store } from './store.ts'

/** Tells these locks from those of {@link PostgresClaim} and of others: "palt". */
const lockClass = 0x70616c74

/** How long others are waited for, and how long PostgreSQL lets one be that has died while it had the lock. */
const waitMaxMs = 5_000

/**
 * Does something while no other server on this database does something of the same name. The action uses connections of its own: at
 * most one such action runs in a process at a time, or they could wait for each other's connections.
 *
 * @throws StoreUnavailable or an error of PostgreSQL when others take longer than five seconds
 */
export async function oneServerAtATime<Result>(
  store: Store,
  name: string,
  action: () => Promise<Result>,
): Promise<Result> {
  if (store.kind === 'sqlite') return action()
  return store
    .tables<unknown>()
    .transaction()
    .execute(async (transaction) => {
      for (const setting of ['lock_timeout', 'idle_in_transaction_session_timeout']) {
        await sql`SELECT set_config(${setting}, ${String(waitMaxMs)}, true)`.execute(transaction)
      }
      await sql`SELECT pg_advisory_xact_lock(${sql.lit(lockClass)}, hashtext(concat(current_schema(), ' ', ${name}::text)))`.execute(
        transaction,
      )
      return action()
    })
}
