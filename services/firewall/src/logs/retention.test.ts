import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore, settableClock } from '@palisade/platform/testing'
import type { KyselyPlugin } from 'kysely'
import { everyEntry } from './conditions.ts'
import { type FirewallLogs, openLogs } from './open-logs.ts'
import { type Limits, Retention, retentionDefaults } from './retention.ts'

const dayMs = 86_400_000
const much: Limits = { days: 1000, entries: 1_000_000, bytes: 1_000_000_000 }

onEveryStore('retention', (newStore) => {
  async function open(store: Store, access: Limits) {
    const clock = settableClock()
    return { clock, ...(await openLogs({ store, clock, dataDirectory: '/', limits: { access } })) }
  }

  async function urls({ logs }: FirewallLogs): Promise<unknown[]> {
    const rows = await logs.search(
      'access',
      everyEntry,
      { offset: 0, limit: 10_000 },
      new AbortController().signal,
    )
    return rows.map(({ url }) => url)
  }

  const entries = (count: number, time: number) =>
    Array.from({ length: count }, (_, index) => ({ time, url: `/${index}`, cookie: 'x'.repeat(100) }))

  async function agrees({ logs }: FirewallLogs, expected: number): Promise<void> {
    const tally = (await logs.tallies()).get('access')
    assert.equal(tally?.entries, expected)
    assert.equal((tally?.bytes ?? 0) > 0, expected > 0)
    if (expected === 0) assert.equal(tally?.bytes, 0)
  }

  test('removes what is older than its days, and nothing else', async () => {
    const opened = await open(await newStore(), { ...much, days: 2 })
    const now = opened.clock.now()
    await opened.logs.append('access', entries(1200, now - 3 * dayMs))
    await opened.logs.append('access', [{ time: now - 2 * dayMs - 1, url: 'too old' }])
    await opened.logs.append('access', [{ time: now - 2 * dayMs, url: 'just kept' }])
    await opened.logs.append('system', [{ time: now - 3 * dayMs, message: 'another log' }])
    await opened.sweep(now)
    assert.deepEqual(await urls(opened), ['just kept'])
    await agrees(opened, 1)
    assert.equal((await opened.logs.tallies()).get('system')?.entries, 1)
    opened.clock.advance(1)
    await opened.sweep(opened.clock.now())
    await agrees(opened, 0)
  })

  test('keeps the newest so many entries', async () => {
    const opened = await open(await newStore(), { ...much, entries: 30 })
    await opened.logs.append('access', entries(1700, opened.clock.now()))
    await opened.sweep(opened.clock.now())
    const left = await urls(opened)
    assert.equal(left.length, 30)
    assert.deepEqual([left[0], left.at(-1)], ['/1699', '/1670'])
    await agrees(opened, 30)
  })

  test('keeps the newest so many bytes', async () => {
    const opened = await open(await newStore(), { ...much, bytes: 20_000 })
    await opened.logs.append('access', entries(1000, opened.clock.now()))
    await opened.sweep(opened.clock.now())
    const left = await urls(opened)
    const bytes = (await opened.logs.tallies()).get('access')?.bytes ?? 0
    assert.ok(bytes <= 20_000 && bytes > 19_000, String(bytes))
    assert.ok(left.length > 50 && left.length < 100, String(left.length))
    assert.equal(left[0], '/999')
    await agrees(opened, left.length)
  })

  test('lets others write and read while it works, and two sweeps be one', async () => {
    const store = await newStore()
    const opened = await open(store, { ...much, entries: 10 })
    const other = new Retention({ store, limits: { access: { ...much, entries: 10 } } })
    await opened.logs.append('access', entries(3000, opened.clock.now()))
    const sweeps = [
      opened.sweep(opened.clock.now()),
      opened.sweep(opened.clock.now()),
      other.sweep(opened.clock.now()),
    ]
    await opened.logs.append('access', [{ url: 'meanwhile' }])
    assert.equal((await urls(opened))[0], 'meanwhile')
    await Promise.all(sweeps)
    await opened.sweep(opened.clock.now())
    assert.equal((await urls(opened)).length, 10)
    await agrees(opened, 10)
  })

  test('leaves what is to stay when another server sweeps between two of its reads', async () => {
    const store = await newStore()
    const opened = await open(store, { ...much, entries: 10 })
    await opened.logs.append('access', entries(40, opened.clock.now()))
    let sweeps = 0
    const afterFirstRead: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (sweeps++ === 0) await opened.sweep(opened.clock.now())
        return result
      },
    }
    const slowed: Store = {
      ...store,
      tables: <Tables>() => store.tables<Tables>().withPlugin(afterFirstRead),
    }
    const other = new Retention({ store: slowed, limits: { access: { ...much, entries: 10 } } })
    assert.equal(await other.sweep(opened.clock.now()), 0)
    assert.ok(sweeps > 0)
    assert.equal((await urls(opened)).length, 10)
    await agrees(opened, 10)
  })

  test('ends soon when the logs are closed', async () => {
    const opened = await open(await newStore(), { ...much, entries: 0 })
    await opened.logs.append('access', entries(3000, opened.clock.now()))
    const sweep = opened.sweep(opened.clock.now())
    await opened.close()
    await sweep
    const left = (await urls(opened)).length
    assert.ok(left > 0 && left < 3000, String(left))
    await agrees(opened, left)
  })
})

test('retention keeps what administrators did for more than a year unless told otherwise', () => {
  assert.ok(retentionDefaults.audit.days > 366)
})
