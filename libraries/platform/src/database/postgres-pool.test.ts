import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { NetworkPath } from '../testing/network-path.ts'
import { startPostgres } from '../testing/postgres-server.ts'
import { postgresPool } from './postgres-pool.ts'
import { PostgresServers } from './postgres-servers.ts'
import { StoreUnavailable } from './store-unavailable.ts'

async function pathToPostgres(t: TestContext): Promise<{ path: NetworkPath; address: string }> {
  const server = await startPostgres()
  assert.ok(server, 'PostgreSQL is not installed: apt-get install postgresql')
  const path = new NetworkPath(await server.newDatabase())
  t.after(async () => {
    path.close()
    await server.stop()
  })
  return { path, address: await path.open() }
}

function tablesAt(t: TestContext, address: string): Kysely<unknown> {
  const pool = postgresPool(new PostgresServers(address), { connectMaxMs: 500, queryMaxMs: 500 })
  const tables = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  t.after(() => tables.destroy())
  return tables
}

const one = (tables: Kysely<unknown>) => sql<{ one: number }>`SELECT 1 AS one`.execute(tables)

test('queries over a path that swallows bytes fail within their bound, and succeed once it is well', async (t) => {
  const { path, address } = await pathToPostgres(t)
  const tables = tablesAt(t, address)
  assert.equal((await one(tables)).rows[0]?.one, 1)
  path.swallows = true
  // More than there are connections, so that some wait for one.
  const answers = await Promise.allSettled(Array.from({ length: 25 }, () => one(tables)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], ['rejected'])
  for (const answer of answers) {
    assert.ok(answer.status === 'rejected' && answer.reason instanceof StoreUnavailable)
  }
  await assert.rejects(
    tables.transaction().execute((transaction) => one(transaction as Kysely<unknown>)),
    StoreUnavailable,
  )
  path.swallows = false
  assert.equal((await one(tables)).rows[0]?.one, 1)
})

test('a transaction that the path cuts is undone, and its connection is not used again', async (t) => {
  const { path, address } = await pathToPostgres(t)
  const tables = tablesAt(t, address)
  await sql`CREATE TABLE thing (id integer)`.execute(tables)
  const work = tables.transaction().execute(async (transaction) => {
    await sql`INSERT INTO thing VALUES (1)`.execute(transaction)
    path.swallows = true
    await sql`INSERT INTO thing VALUES (2)`.execute(transaction)
  })
  await assert.rejects(work, StoreUnavailable)
  path.swallows = false
  const { rows } = await sql`SELECT id FROM thing`.execute(tables)
  assert.deepEqual(rows, [])
})

test('a server that is away or ends a connection is unavailable, and a wrong query is not', async (t) => {
  const { address, path } = await pathToPostgres(t)
  const tables = tablesAt(t, address)
  await assert.rejects(sql`SELECT nonsense`.execute(tables), (error) => !(error instanceof StoreUnavailable))
  await assert.rejects(sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(tables), StoreUnavailable)
  assert.equal((await one(tables)).rows[0]?.one, 1)
  path.close()
  // The first one meets the connection that has just ended.
  await assert.rejects(one(tables), StoreUnavailable)
  await assert.rejects(one(tables), /^StoreUnavailable: The database cannot be reached: .*ECONNREFUSED/)
})
