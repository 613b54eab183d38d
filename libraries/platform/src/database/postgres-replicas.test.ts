import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLog } from '@palisade/log'
import { sql } from 'kysely'
import pg from 'pg'
import { NetworkPath } from '../testing/network-path.ts'
import { type PostgresReplica, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { openStore, type Store } from './store.ts'

interface Opened {
  readonly primary: PostgresServer
  readonly replicas: readonly PostgresReplica[]
  readonly store: Store
  /** Lines of the log. */
  readonly lines: string[]
  /** Runs a statement on the server with this place: 0 is the primary, 1 the first replica. */
  on(place: number, statement: string): Promise<void>
}

/** A primary with replicas that nothing waits for, and a store on them with a table of numbers. */
async function opened(
  t: TestContext,
  { replicaCount = 1, user = 'palisade', throughPath = (address: string) => address } = {},
): Promise<Opened> {
  const primary = await startPostgres()
  assert.ok(primary, 'PostgreSQL is not installed: apt-get install postgresql')
  const { host, pathname } = new URL(await primary.newDatabase())
  const replicas: PostgresReplica[] = []
  for (let count = 0; count < replicaCount; count++) replicas.push(await primary.startReplica())
  const hosts = [host, ...replicas.map((replica) => replica.host)]
  const on = async (place: number, statement: string) => {
    const client = new pg.Client({ connectionString: `postgres://palisade@${hosts[place]}${pathname}` })
    client.on('error', () => undefined)
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await on(0, "ALTER SYSTEM SET synchronous_standby_names = ''")
  await on(0, 'SELECT pg_reload_conf()')
  if (user !== 'palisade') await on(0, `CREATE ROLE ${user} LOGIN; GRANT ALL ON SCHEMA public TO ${user}`)
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const [first, ...others] = hosts
  const named = [first, ...others.map(throughPath)].join(',')
  const store = openStore(`postgres://${user}@${named}${pathname}`, '', log)
  t.after(async () => {
    await store.close()
    for (const replica of replicas) await replica.stop()
    await primary.stop()
  })
  await sql`CREATE TABLE thing (id integer PRIMARY KEY)`.execute(store.tables())
  return { primary, replicas, store, lines, on }
}

async function add(store: Store, id: number): Promise<void> {
  await sql`INSERT INTO thing VALUES (${id})`.execute(store.tables())
}

interface List {
  readonly ids: readonly number[]
  readonly isFromReplica: boolean
}

function list(store: Store): Promise<List> {
  return store.readList(async (tables) => {
    const { rows } = await sql<{ id: number; replica: boolean }>`SELECT id, pg_is_in_recovery() AS replica
      FROM thing ORDER BY id`.execute(tables.tables())
    return { ids: rows.map(({ id }) => id), isFromReplica: rows.some(({ replica }) => replica) }
  })
}

/** Adds one after the other, each of which has to be in the list that is read next. @returns how many lists came from a replica */
async function addAndList(store: Store, from: number, count: number): Promise<number> {
  let fromReplica = 0
  for (let id = from; id < from + count; id++) {
    await add(store, id)
    const { ids, isFromReplica } = await list(store)
    assert.equal(ids.at(-1), id)
    if (isFromReplica) fromReplica++
  }
  return fromReplica
}

/** Lists until one has come from a replica, since one that could not be used is left alone for some seconds. */
async function untilFromReplica(store: Store): Promise<void> {
  while (!(await list(store)).isFromReplica) await new Promise((resolve) => setTimeout(resolve, 100))
}

test('lists are read from a replica, and have what was acknowledged before', async (t) => {
  const { store, lines } = await opened(t, { user: 'ordinary' })
  const fromReplica = await addAndList(store, 1, 200)
  assert.ok(fromReplica > 100, `${fromReplica} of 200`)
  assert.deepEqual(store.listReads, { replica: fromReplica, primary: 200 - fromReplica })
  t.diagnostic(`${fromReplica} of 200 from the replica, ${lines.length} lines in the log`)
})
