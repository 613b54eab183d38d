import { type Migration, Migrator } from 'kysely/migration'
import type { Store } from './store.ts'

/** A service's changes to its tables, by name, in the order of the names ("0001-…", "0002-…"). */
export type Migrations = Readonly<Record<string, Migration>>

/**
 * Brings one service's tables to their newest form. Each service has its own list of what was applied, so a
 * service can come or go without the others noticing; a lock keeps two servers from migrating at once.
 */
export async function migrate(store: Store, service: string, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({
    db: store.tables<unknown>(),
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: `${service}_migration`,
    migrationLockTableName: `${service}_migration_lock`,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')
  const where = failed ? ` at ${failed.migrationName}` : ''
  throw new Error(`migrating the tables of ${service} failed${where}`, { cause: error })
}
