import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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
