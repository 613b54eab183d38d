import { rmSync } from 'node:fs'
import { after, before, describe } from 'node:test'
import { sql } from 'kysely'
import { openStore, type Store } from '../database/store.ts'
import { memoryDirectory } from './memory-directory.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

/**
 * Runs the same tests on SQLite and on a PostgreSQL server that is started for them.
 *
 * @param define registers tests and hooks; `newStore` gives each its own empty database, which is closed when
 *   all of them have run
 * @param options.concurrency has them run beside each other, for those that mostly wait
 */
export function onEveryStore(
  title: string,
  define: (newStore: () => Promise<Store>) => void,
  options: { readonly concurrency?: boolean } = {},
): void {
  describe(`${title}, on SQLite`, options, () => {
    const directories: string[] = []
    const stores: Store[] = []
    define(async () => {
      const directory = memoryDirectory('palisade-store-')
      const store = openStore('embedded', directory)
      directories.push(directory)
      stores.push(store)
      return store
    })
    after(async () => {
      await Promise.all(stores.map((store) => store.close()))
      for (const directory of directories) rmSync(directory, { recursive: true, force: true })
    })
  })

  describe(`${title}, on PostgreSQL`, options, () => {
    let server: PostgresServer | undefined
    const stores: Store[] = []
    before(async () => {
      server = await startPostgres()
      if (!server) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
    })
    define(async () => {
      if (!server) throw new Error('PostgreSQL did not start')
      const store = openStore(await server.newDatabase(), '')
      stores.push(store)
      return store
    })
    after(async () => {
      await Promise.all(stores.map((store) => store.close()))
      await server?.stop()
    })
  })
}

/** Has PostgreSQL compare a column as English dictionaries do, as in a database that was made for that language. */
export async function compareAsEnglish(store: Store, table: string, column: string): Promise<void> {
  if (store.kind === 'sqlite') return
  await sql`ALTER TABLE ${sql.table(table)} ALTER COLUMN ${sql.ref(column)} TYPE text COLLATE "en-x-icu"`.execute(
    store.tables(),
  )
}
