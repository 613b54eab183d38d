import { type Migration, Migrator } from 'kysely/migration'
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
  const newer = await stepsBesides(migrations, store, service)
  const newerAdditive = newer.filter(isAdditive)
  const own = Object.entries(migrations).map(
    ([name, step]) => [name, isAdditive(name) ? additive(step) : step] as const,
  )
  const migrator = new Migrator({
    db: store.tables<unknown>(),
    provider: {
      // What was applied already is not applied again, so that nobody has to know what it was.
      getMigrations: async () =>
        Object.fromEntries([
          ...own,
          ...newerAdditive.map((name) => [name, { up: async () => undefined }] as const),
        ]),
    },
    migrationTableName: `${service}_migration`,
    migrationLockTableName: `${service}_migration_lock`,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  // Another server may have applied some since.
  const others = (await stepsBesides(migrations, store, service)).filter((name) => !isAdditive(name))
  if (others.length > 0) {
    const steps = others.join(', ')
    throw new NewerTables(`a newer version has changed the tables of ${service} (${steps})`, { cause: error })
  }
  const failed = results?.find((result) => result.status === 'Error')
  const where = failed ? ` at ${failed.migrationName}` : ''
  throw new Error(`migrating the tables of ${service} failed${where}`, { cause: error })
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
