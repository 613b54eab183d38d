import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import { addingOnly } from './adding-only.ts'
import type { Store } from './store.ts'

/**
 * A service's changes to its tables, by name, in the order of the names ("0001-…", "0002-…"). A name such as "0007-additive-labels" says that
 * servers of the release before work with the tables afterwards: such a step adds tables, indexes, and columns that may be left out, and
 * nothing else is let through.
 */
export type Migrations = Readonly<Record<string, Migration>>

/** Tables have steps that this version does not know: a newer one has changed them. */
export class NewerTables extends Error {
  override readonly name = 'NewerTables'
}

/**
 * Brings one service's tables to their newest form. Each service has its own list of what was applied, so a
 * service can come or go without the others noticing; a lock keeps two servers from migrating at once. Additive steps of a newer version
 * are left as they are.
 *
 * @throws NewerTables, and leaves them as they are
 */
export async function migrate(store: Store, service: string, migrations: Migrations): Promise<void> {
  const { error, results } = await applyAll(store, service, migrations)
  if (error === undefined) return
  const newer = await stepsBesides(migrations, store, service)
  if (newer.length > 0 && newer.every(isAdditive)) {
    // What was applied already is not applied again, so that nobody has to know what it was.
    const applied = Object.fromEntries(newer.map((name) => [name, { up: async () => undefined }]))
    return migrate(store, service, { ...migrations, ...applied })
  }
  if (newer.length > 0) {
    const steps = newer.filter((name) => !isAdditive(name)).join(', ')
    throw new NewerTables(`a newer version has changed the tables of ${service} (${steps})`, { cause: error })
  }
  const failed = results?.find((result) => result.status === 'Error')
  const where = failed ? ` at ${failed.migrationName}` : ''
  throw new Error(`migrating the tables of ${service} failed${where}`, { cause: error })
}

function applyAll(store: Store, service: string, migrations: Migrations): Promise<MigrationResultSet> {
  const steps = Object.entries(migrations).map(([name, step]) => [
    name,
    isAdditive(name) ? additive(step) : step,
  ])
  const migrator = new Migrator({
    db: store.tables<unknown>(),
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    migrationTableName: `${service}_migration`,
    migrationLockTableName: `${service}_migration_lock`,
  })
  return migrator.migrateToLatest()
}

/** The steps that were applied and are not among these; none where the tables cannot be read, of which another error tells. */
async function stepsBesides(migrations: Migrations, store: Store, service: string): Promise<string[]> {
  const applied = await store
    .tables<Record<string, { name: string }>>()
    .selectFrom(`${service}_migration`)
    .select('name')
    .orderBy('name')
    .execute()
    .catch(() => [])
  return applied.flatMap(({ name }) => (Object.hasOwn(migrations, name) ? [] : [name]))
}

function isAdditive(step: string): boolean {
  return /^\d+-additive-/.test(step)
}

function additive(step: Migration): Migration {
  return { ...step, up: (db) => step.up(db.withPlugin(addingOnly)) }
}
