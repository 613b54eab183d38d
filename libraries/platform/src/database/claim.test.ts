import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import type { ClaimRequest } from './claim.ts'
import { openStore } from './store.ts'

const unheard = () => assert.fail('nobody else has it')
const request: ClaimRequest = { name: 'demo', onWait: unheard, onLost: unheard, waitMs: 0 }

describe('a claim in PostgreSQL', () => {
  let server: PostgresServer | undefined
  before(async () => {
    server = await startPostgres()
  })
  after(() => server?.stop())

  /** A database, two stores on it as of two servers, and what the test itself asks of it. */
  async function opened(t: { after(undo: () => Promise<void>): void }) {
    assert.ok(server, 'PostgreSQL is not installed: apt-get install postgresql')
    const address = await server.newDatabase()
    const [first, second] = [openStore(address, ''), openStore(address, '')]
    const own = new pg.Client({ connectionString: address })
    await own.connect()
    t.after(async () => {
      await Promise.all([first.close(), second.close(), own.end()])
    })
    return { address, first, second, own }
  }

  interface Lock {
    readonly pid: number
    readonly classid: number
    readonly objid: number
  }

  /** Looks until such a lock is there. */
  async function untilLock(own: pg.Client, is: 'granted' | 'awaited', butNotOf?: number): Promise<Lock> {
    for (;;) {
      const { rows } = await own.query<Lock>(
        "SELECT pid, classid, objid FROM pg_locks WHERE locktype = 'advisory' AND granted = $1",
        [is === 'granted'],
      )
      const other = rows.find(({ pid }) => pid !== butNotOf)
      if (other) return other
    }
  }

  test('is had by one, and free for another when it was released', async (t) => {
    const { first, second } = await opened(t)
    const claim = await first.claim(request)
    assert.ok(claim)
    assert.equal(await second.claim({ ...request, onWait: () => undefined }), undefined)
    const other = await second.claim({ ...request, name: 'other' })
    await other?.release()
    await claim.release()
    const next = await second.claim(request)
    assert.ok(next)
    await next.release()
  })

  test('keeps nothing from being vacuumed', async (t) => {
    const { first, own } = await opened(t)
    const claim = await first.claim(request)
    const { pid } = await untilLock(own, 'granted')
    const { rows } = await own.query(
      'SELECT state, backend_xmin, backend_xid FROM pg_stat_activity WHERE pid = $1',
      [pid],
    )
    assert.deepEqual(rows, [{ state: 'idle in transaction', backend_xmin: null, backend_xid: null }])
    await claim?.release()
  })

  test('is waited for, which is said once', async (t) => {
    const { first, second } = await opened(t)
    const claim = await first.claim(request)
    let waits = 0
    const onWait = () => {
      waits++
      void claim?.release()
    }
    const next = await second.claim({ ...request, onWait, waitMs: 60_000 })
    assert.ok(next)
    assert.equal(waits, 1)
    await next.release()
  })

  test('is taken again when its connection was lost', async (t) => {
    const { first, second, own } = await opened(t)
    const claim = await first.claim({ ...request, waitMs: 60_000 })
    const { pid } = await untilLock(own, 'granted')
    await own.query('SELECT pg_terminate_backend($1)', [pid])
    await untilLock(own, 'granted', pid)
    assert.equal(await second.claim({ ...request, onWait: () => undefined }), undefined)
    await claim?.release()
    const next = await second.claim(request)
    assert.ok(next)
    await next.release()
  })

  test('tells when another came while the connection was lost, and comes back when that one has gone', async (t) => {
    const { address, first, own } = await opened(t)
    const lost = Promise.withResolvers<void>()
    const claim = await first.claim({ ...request, onLost: lost.resolve })
    const { pid, classid, objid } = await untilLock(own, 'granted')
    const other = new pg.Client({ connectionString: address })
    await other.connect()
    // Who waits within PostgreSQL has the lock at the very moment at which its holder ends.
    const lock = other.query('SELECT pg_advisory_lock($1, $2)', [classid, objid | 0])
    const otherPid = (await untilLock(own, 'awaited')).pid
    await own.query('SELECT pg_terminate_backend($1)', [pid])
    await lock
    await lost.promise
    await other.end()
    await untilLock(own, 'granted', otherPid)
    await claim?.release()
  })
})

test('on SQLite everything belongs to the one server there is', async (t) => {
  const store = openStore('embedded', temporaryDirectory(t))
  t.after(() => store.close())
  const claim = await store.claim(request)
  assert.ok(claim)
  await claim.release()
})
