import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { onEveryStore } from '../testing/stores.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { isDuplicate, openStore, type Store } from './store.ts'
import { isStorableText } from './stored-texts.ts'

interface Tables {
  thing: { id: number; name: string; note: string | null }
}

async function withThings(store: Store): Promise<Kysely<Tables>> {
  const tables = store.tables<Tables>()
  await tables.schema
    .createTable('thing')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('note', 'text')
    .execute()
  return tables
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  assert.fail('it succeeded')
}

onEveryStore('a store', (newStore) => {
  test('tells a duplicate from every other failure', async () => {
    const tables = await withThings(await newStore())
    const insert = (id: number, name: string | null) =>
      tables
        .insertInto('thing')
        // @ts-expect-error: null is what the database has to refuse
        .values({ id, name })
        .execute()
    await insert(1, 'one')
    assert.equal(isDuplicate(await failureOf(insert(1, 'other'))), true, 'same primary key')
    assert.equal(isDuplicate(await failureOf(insert(2, 'one'))), true, 'same unique name')
    assert.equal(isDuplicate(await failureOf(insert(3, null))), false, 'missing name')
    assert.equal(isDuplicate(await failureOf(sql`SELECT nonsense`.execute(tables))), false)
    for (const other of [undefined, null, 'duplicate', { code: '23505' }, new Error('no')]) {
      assert.equal(isDuplicate(other), false)
    }
  })

  test('undoes a transaction that fails', async () => {
    const tables = await withThings(await newStore())
    const failure = new Error('half way')
    const work = tables.transaction().execute(async (transaction) => {
      await transaction.insertInto('thing').values({ id: 1, name: 'one' }).execute()
      throw failure
    })
    assert.equal(await failureOf(work), failure)
    assert.deepEqual(await tables.selectFrom('thing').selectAll().execute(), [])
  })

  test('gives every number and text back as it was', async () => {
    const tables = await withThings(await newStore())
    const numbers = [0, -1, 2 ** 31, Date.UTC(2030, 0, 1), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
    const texts = ['', ' a ', "it's", '"', '\\', '\n\t\u0001', 'ü', '日本', '🙂', '%_', '?', '$1']
    for (const [index, name] of texts.entries()) {
      const id = numbers[index] ?? index + 1000
      await tables.insertInto('thing').values({ id, name, note: null }).execute()
      const row = await tables.selectFrom('thing').selectAll().where('name', '=', name).executeTakeFirst()
      assert.deepEqual({ ...row }, { id, name, note: null })
    }
    const { total } = await tables
      .selectFrom('thing')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    assert.equal(total, texts.length)
  })

  test('serves many callers at once, each transaction by itself', async () => {
    const tables = await withThings(await newStore())
    await tables.insertInto('thing').values({ id: 1, name: 'counter', note: '0' }).execute()
    const increment = () =>
      tables.transaction().execute(async (transaction) => {
        await sql`UPDATE thing SET note = CAST(CAST(note AS integer) + 1 AS text) WHERE id = 1`.execute(
          transaction,
        )
      })
    await Promise.all(Array.from({ length: 40 }, increment))
    const { note } = await tables.selectFrom('thing').select('note').executeTakeFirstOrThrow()
    assert.equal(note, '40')
  })

  test('keeps foreign keys', async () => {
    const tables = (await withThings(await newStore())) as Kysely<Tables & { part: { of: number } }>
    await tables.schema
      .createTable('part')
      .addColumn('of', 'bigint', (column) => column.references('thing.id').onDelete('cascade'))
      .execute()
    const orphan = await failureOf(tables.insertInto('part').values({ of: 9 }).execute())
    assert.equal(isDuplicate(orphan), false)
    await tables.insertInto('thing').values({ id: 9, name: 'whole' }).execute()
    await tables.insertInto('part').values({ of: 9 }).execute()
    await tables.deleteFrom('thing').execute()
    assert.deepEqual(await tables.selectFrom('part').selectAll().execute(), [])
  })

  test('survives that the server ends its connections, idle or within a transaction', async (t) => {
    const store = await newStore()
    if (store.kind === 'sqlite') return t.skip('SQLite has no connections')
    const tables = await withThings(store)
    const query = (within: Kysely<Tables> = tables) => within.selectFrom('thing').selectAll().execute()
    const endOthers = () =>
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid()`.execute(tables)
    await Promise.all([query(), query(), query()])
    await endOthers()
    assert.deepEqual(await query(), [])
    const work = tables.transaction().execute(async (transaction) => {
      await query(transaction)
      await endOthers()
      // The end of the connection is heard of while no query waits.
      await query()
      await query(transaction)
    })
    assert.match(String(await failureOf(work)), /terminat|not queryable/)
    assert.deepEqual(await query(), [])
  })
})

test('SQLite refuses values that PostgreSQL would store differently', async (t) => {
  const store = openStore('embedded', temporaryDirectory(t))
  t.after(() => store.close())
  const tables = await withThings(store)
  for (const wrong of [true, new Date(), Buffer.from('x'), ['x']]) {
    // @ts-expect-error: the types forbid it as well
    const insert = tables.insertInto('thing').values({ id: 1, name: 'n', note: wrong }).execute()
    assert.match(String(await failureOf(insert)), /a table column takes text, a number or null, not/)
  }
})

test('keeps what was stored when the embedded database is opened again', async (t) => {
  const directory = temporaryDirectory(t)
  const store = openStore('embedded', directory)
  await (await withThings(store)).insertInto('thing').values({ id: 1, name: 'kept' }).execute()
  await store.close()
  const again = openStore('embedded', directory)
  t.after(() => again.close())
  const rows = await again.tables<Tables>().selectFrom('thing').select('name').execute()
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['kept'],
  )
})

test('says which texts every store can hold', () => {
  for (const text of ['', 'a', 'ü', '🙂', '\u0001', '\ufffd']) assert.equal(isStorableText(text), true)
  for (const text of ['\0', 'a\0b', '\ud83d', '\ude42\ud83d']) assert.equal(isStorableText(text), false)
})

test('on SQLite a transaction for which there is no room fails with that, and the next one is a new one', async (t) => {
  const store = openStore('embedded', temporaryDirectory(t))
  t.after(() => store.close())
  const tables = await withThings(store)
  await sql`PRAGMA max_page_count = 60`.execute(tables)
  const fill = (noteLength: number) =>
    tables.transaction().execute(async (transaction) => {
      for (let id = 0; id < 100; id++) {
        const note = 'x'.repeat(noteLength)
        await transaction
          .insertInto('thing')
          .values({ id, name: String(id), note })
          .execute()
      }
    })
  assert.match(String(await failureOf(fill(4000))), /full/)
  await fill(10)
  assert.equal((await tables.selectFrom('thing').select('id').execute()).length, 100)
})

test('a statement waits while another process writes to the file', async (t) => {
  const directory = temporaryDirectory(t)
  const store = openStore('embedded', directory)
  t.after(() => store.close())
  const tables = await withThings(store)
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(process.argv[1])
    database.exec('BEGIN IMMEDIATE')
    console.log('writes')
    setTimeout(() => database.exec('COMMIT'), 300)`
  const other = spawn(process.execPath, ['-e', script, join(directory, 'palisade.sqlite')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(other.stdout, 'data')
  await tables.insertInto('thing').values({ id: 1, name: 'one' }).execute()
  assert.equal((await tables.selectFrom('thing').selectAll().execute()).length, 1)
  await once(other, 'exit')
})
