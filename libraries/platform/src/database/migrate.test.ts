import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ColumnDefinitionBuilder } from 'kysely'
import { type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { runModule } from '../testing/run-module.ts'
import { onEveryStore } from '../testing/stores.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { type Migrations, migrate } from './migrate.ts'
import { openStore, type Store } from './store.ts'

interface Tables {
  step: { name: string }
}

const makeTable: Migrations[string] = {
  async up(db) {
    await db.schema.createTable('step').addColumn('name', 'text').execute()
  },
}

/** Writes its name down, so that what was applied can be read. */
const note = (name: string): Migrations[string] => ({
  async up(db) {
    await db.insertInto('step').values({ name }).execute()
  },
})

async function applied(store: Store): Promise<string[]> {
  const rows = await store.tables<Tables>().selectFrom('step').select('name').execute()
  return rows.map(({ name }) => name)
}

onEveryStore('migrate', (newStore) => {
  test('names the step that failed, with its cause, and leaves nothing of it', async () => {
    const store = await newStore()
    const cause = new Error('no room')
    const failing: Migrations = {
      '0001-table': makeTable,
      '0002-fails': {
        async up(db) {
          await db.insertInto('step').values({ name: 'half' }).execute()
          throw cause
        },
      },
      '0003-never': note('never'),
    }
    await assert.rejects(migrate(store, 'demo', failing), {
      message: 'migrating the tables of demo failed at 0002-fails',
      cause,
    })
    await migrate(store, 'demo', { ...failing, '0002-fails': note('mended'), '0003-never': note('last') })
    assert.deepEqual(await applied(store), ['mended', 'last'])
  })

  test('refuses tables that a newer version has changed already', async () => {
    const store = await newStore()
    await migrate(store, 'demo', { '0001-table': makeTable, '0002-newer': note('newer') })
    await assert.rejects(migrate(store, 'demo', { '0001-table': makeTable }), {
      name: 'NewerTables',
      message: 'a newer version has changed the tables of demo (0002-newer)',
    })
  })

  test('leaves additive steps of a newer version, and applies its own', async () => {
    const store = await newStore()
    const adds: Migrations[string] = {
      async up(db) {
        await db.schema.createTable('more').addColumn('name', 'text').execute()
        await db.schema.createIndex('step_name').on('step').column('name').execute()
        await db.schema.alterTable('step').addColumn('label', 'text').execute()
        const count = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
        await db.schema.alterTable('step').addColumn('count', 'integer', count).execute()
      },
    }
    await migrate(store, 'demo', { '0001-table': makeTable, '0003-additive-label': adds })
    // An older version, and the next older one with a step of its own behind.
    await migrate(store, 'demo', { '0001-table': makeTable })
    await migrate(store, 'demo', { '0001-table': makeTable, '0004-own': note('own') })
    assert.deepEqual(await applied(store), ['own'])
  })

  test('refuses a step that says it is additive and is not', async () => {
    const store = await newStore()
    await migrate(store, 'demo', { '0001-table': makeTable })
    const others: Migrations = {
      'UpdateQueryNode does something else': {
        up: async (db) => void (await db.updateTable('step').set({ name: 'x' }).execute()),
      },
      'DropTableNode does something else': { up: (db) => db.schema.dropTable('step').execute() },
      'a table is changed beside its columns': {
        up: (db) => db.schema.alterTable('step').renameTo('steps').execute(),
      },
      'a column that is there is changed': {
        up: (db) => db.schema.alterTable('step').dropColumn('name').execute(),
      },
      'the column label has to be given': {
        up: (db) =>
          db.schema
            .alterTable('step')
            .addColumn('label', 'text', (column) => column.notNull())
            .execute(),
      },
    }
    for (const [fault, step] of Object.entries(others)) {
      await assert.rejects(
        migrate(store, 'demo', { '0001-table': makeTable, '0002-additive-other': step }),
        ({ cause }) => {
          assert.equal(cause.message, `an additive step only adds: ${fault}`)
          return true
        },
      )
    }
    await migrate(store, 'demo', { '0001-table': makeTable })
  })

  test('applies each step once, in the order of the names', async () => {
    const store = await newStore()
    const migrations = { '0003-c': note('c'), '0001-table': makeTable, '0002-b': note('b') }
    await migrate(store, 'demo', migrations)
    await migrate(store, 'demo', migrations)
    await migrate(store, 'demo', { ...migrations, '0004-d': note('d') })
    assert.deepEqual(await applied(store), ['b', 'c', 'd'])
  })

  test('keeps the lists of two services apart', async () => {
    const store = await newStore()
    await migrate(store, 'one', { '0001-table': makeTable, '0002-step': note('one') })
    await migrate(store, 'two', { '0002-step': note('two') })
    assert.deepEqual(await applied(store), ['one', 'two'])
  })

  test('lets callers at the same moment wait for each other', async () => {
    const store = await newStore()
    const migrations = { '0001-table': makeTable, '0002-step': note('once') }
    await Promise.all([1, 2, 3].map(() => migrate(store, 'demo', migrations)))
    assert.deepEqual(await applied(store), ['once'])
  })
})

/** What a server does when it starts; on the embedded store it needs the data directory first. */
const starting = `
  import { takeDataDirectory } from '${new URL('../data-directory.ts', import.meta.url)}'
  import { openStore } from '${new URL('store.ts', import.meta.url)}'
  import { migrate } from '${new URL('migrate.ts', import.meta.url)}'
  const { address, directory, startAt } = JSON.parse(process.argv[1])
  while (Date.now() < startAt);
  let giveBack
  while (address === 'embedded' && giveBack === undefined) {
    try { giveBack = takeDataDirectory(directory) } catch { await new Promise((r) => setTimeout(r, 5)) }
  }
  const store = openStore(address, directory)
  await migrate(store, 'demo', {
    '0001-table': { up: (db) => db.schema.createTable('step').addColumn('name', 'text').execute() },
    '0002-step': { up: (db) => db.insertInto('step').values({ name: 'once' }).execute() },
  })
  await store.close()
  giveBack?.()`

describe('processes that start at the same moment', () => {
  let server: PostgresServer | undefined
  before(async () => {
    server = await startPostgres()
  })
  after(() => server?.stop())

  async function startFourAt(address: string, directory: string): Promise<void> {
    const settings = { address, directory, startAt: Date.now() + 500 }
    await Promise.all([1, 2, 3, 4].map(() => runModule(starting, settings)))
    const store = openStore(address, directory)
    assert.deepEqual(await applied(store), ['once'])
    await store.close()
  }

  test('migrate PostgreSQL once', async () => {
    if (!server) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
    await startFourAt(await server.newDatabase(), '')
  })

  test('migrate the embedded store once, one after the other', (t) =>
    startFourAt('embedded', temporaryDirectory(t)))
})
