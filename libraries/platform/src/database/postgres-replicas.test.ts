import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLog } from '@palisade/log'
import { sql } from 'kysely'
import pg from 'pg'
import { NetworkPath } from '../testing/network-path.ts'
import { type PostgresReplica, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { openStore, type Store } from './store.ts'
import { StoreUnavailable } from './store-unavailable.ts'

interface Opened {
  readonly primary: PostgresServer
  readonly replicas: readonly PostgresReplica[]
  readonly store: Store
  /** Lines of the log. */
  readonly lines: string[]
  /** Runs a statement on the server with this place: 0 is the primary, 1 the first replica. @returns how many rows it has given */
  on(place: number, statement: string): Promise<number>
}

/** A primary with replicas that nothing waits for, and a store on them with a table of numbers. */
async function opened(
  t: TestContext,
  { replicaCount = 1, user = 'palisade', throughPath = async (host: string) => host } = {},
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
    const { rowCount } = await client.query(statement)
    await client.end()
    return rowCount ?? 0
  }
  await on(0, "ALTER SYSTEM SET synchronous_standby_names = ''")
  await on(0, 'SELECT pg_reload_conf()')
  if (user !== 'palisade') await on(0, `CREATE ROLE ${user} LOGIN; GRANT ALL ON SCHEMA public TO ${user}`)
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const [first, ...others] = hosts
  const named = [first, ...(await Promise.all(others.map(throughPath)))].join(',')
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

/** Adds one, and lists until a list has come from a replica: one that could not be used is left alone for some seconds. */
async function untilFromReplica(store: Store, id: number): Promise<void> {
  await add(store, id)
  while (!(await list(store)).isFromReplica) await pause(100)
}

test('lists are read from a replica, and have what was acknowledged before', async (t) => {
  const { store, lines } = await opened(t, { user: 'ordinary' })
  const fromReplica = await addAndList(store, 1, 200)
  assert.deepEqual(store.listReads, { replica: fromReplica, primary: 200 - fromReplica })
  t.diagnostic(`${fromReplica} of 200 from the replica, ${lines.length} lines in the log`)
  // A machine that has much else to do may have let it be behind all the while.
  await untilFromReplica(store, 201)
})

test('what a replica has not replayed yet is read from the primary', async (t) => {
  const { store, lines, on } = await opened(t)
  await untilFromReplica(store, 1)
  await on(1, 'SELECT pg_wal_replay_pause()')
  assert.equal(await addAndList(store, 2, 50), 0)
  await on(1, 'SELECT pg_wal_replay_resume()')
  await on(1, "ALTER SYSTEM SET recovery_min_apply_delay = '30ms'")
  await on(1, 'SELECT pg_reload_conf()')
  await addAndList(store, 52, 200)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /it does not have what the primary has/)
  await on(1, "ALTER SYSTEM SET recovery_min_apply_delay = '0'")
  await on(1, 'SELECT pg_reload_conf()')
  await untilFromReplica(store, 252)
})

test('what was acknowledged before it was written is in the list, too', async (t) => {
  const { store, on } = await opened(t)
  await on(0, "ALTER SYSTEM SET wal_writer_delay = '1s'")
  await on(0, 'ALTER SYSTEM SET synchronous_commit = off')
  await on(0, 'SELECT pg_reload_conf()')
  await untilFromReplica(store, 1)
  await addAndList(store, 2, 200)
})

test('lists are read while a replica ends, and from another one that is there', async (t) => {
  const { store, replicas } = await opened(t, { replicaCount: 2 })
  await untilFromReplica(store, 1)
  const lists = addAndList(store, 2, 200)
  await replicas[0]?.stop()
  await lists
  await untilFromReplica(store, 202)
  await replicas[1]?.stop()
  assert.equal(await addAndList(store, 203, 10), 0)
})

test('a replica whose network swallows everything keeps no list from being read', async (t) => {
  let path: NetworkPath | undefined
  const { store, lines } = await opened(t, {
    throughPath: async (host) => {
      path = new NetworkPath(`postgres://${host}/`)
      t.after(() => path?.close())
      return new URL(await path.open()).host
    },
  })
  await untilFromReplica(store, 1)
  assert.ok(path)
  path.swallows = true
  assert.equal(await addAndList(store, 2, 20), 0)
  assert.equal(lines.length, 1)
  path.swallows = false
  await untilFromReplica(store, 22)
})

test('a list that a replica ends because of what it replays is read from the primary', async (t) => {
  const { store, lines, on } = await opened(t)
  await untilFromReplica(store, 1)
  await on(1, "ALTER SYSTEM SET max_standby_streaming_delay = '0'")
  await on(1, 'SELECT pg_reload_conf()')
  await on(0, 'CREATE TABLE other (id integer)')
  const places: boolean[] = []
  const untilRead = async () => {
    const reads = "SELECT 1 FROM pg_locks WHERE relation = 'other'::regclass"
    while ((await on(1, reads)) === 0) await pause(10)
  }
  await store.readList(async (tables) => {
    const { rows } = await sql<{ replica: boolean }>`SELECT pg_is_in_recovery() AS replica`.execute(
      tables.tables(),
    )
    const isFromReplica = rows[0]?.replica === true
    places.push(isFromReplica)
    if (!isFromReplica) return
    const query = sql`SELECT pg_sleep(60), count(*) FROM other`.execute(tables.tables())
    const dropped = untilRead().then(() => on(0, 'DROP TABLE other'))
    await Promise.all([query, dropped])
  })
  assert.deepEqual(places, [true, false])
  assert.deepEqual(lines, [])
  assert.ok((await list(store)).isFromReplica)
})

test('a fault in the reading itself is thrown as it is, and nothing is read twice', async (t) => {
  const { store } = await opened(t)
  await untilFromReplica(store, 1)
  let calls = 0
  const work = () => {
    calls++
    throw new Error('of its own')
  }
  await assert.rejects(store.readList(work), /of its own/)
  assert.equal(calls, 1)
})

test('lists are read before and after a replica takes the place of the primary', async (t) => {
  const { store, primary, replicas, on } = await opened(t, { replicaCount: 2 })
  await untilFromReplica(store, 1)
  await primary.kill()
  await assert.rejects(list(store), StoreUnavailable)
  await replicas[0]?.promote()
  for (;;) {
    try {
      await add(store, 2)
      break
    } catch (error) {
      assert.ok(error instanceof StoreUnavailable, String(error))
    }
  }
  await addAndList(store, 3, 20)
  const { host = '' } = replicas[0] ?? {}
  const [address, port] = host.split(':')
  await on(2, `ALTER SYSTEM SET primary_conninfo = 'host=${address} port=${port} user=palisade'`)
  await on(2, 'SELECT pg_reload_conf()')
  await addAndList(store, 23, 20)
  // Until it writes down that it follows the new primary, nothing tells it from one that does not.
  await on(1, 'CHECKPOINT')
  while (!(await list(store)).isFromReplica) await on(2, 'CHECKPOINT')
  await addAndList(store, 43, 100)
})

test('a replica that is as far, but has changes that the new primary never had, is not read', async (t) => {
  const { store, primary, replicas, on } = await opened(t, { replicaCount: 2 })
  await untilFromReplica(store, 1)
  // The first replica hears no more; the second one follows.
  await on(1, "ALTER SYSTEM SET primary_conninfo = ''")
  await on(1, 'SELECT pg_reload_conf()')
  await on(0, 'CREATE TABLE lost AS SELECT generate_series(1, 100000) AS id')
  await addAndList(store, 2, 10)
  await on(0, 'SELECT pg_switch_wal()')
  await untilFromReplica(store, 12)
  await primary.kill()
  await replicas[0]?.promote()
  for (;;) {
    try {
      await add(store, 1000)
      break
    } catch (error) {
      assert.ok(error instanceof StoreUnavailable, String(error))
    }
  }
  assert.equal(await addAndList(store, 1001, 200), 0)
})
