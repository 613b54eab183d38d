import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { migrate, type Store } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { backupMigrations } from './migrations.ts'
import { type Timer, Timers } from './timers.ts'

onEveryStore('timers', (newStore) => {
  let store: Store
  let timers: Timers
  before(async () => {
    store = await newStore()
    await migrate(store, 'backup', backupMigrations(store))
    timers = new Timers(store)
  })
  const due = async (nowMs: number): Promise<Timer> => {
    const [timer, ...more] = await timers.due(nowMs)
    assert.ok(timer && more.length === 0)
    return timer
  }

  test('what is due is moved on by one of several servers', async () => {
    await timers.set(store.tables(), 'run-set', 'a', 100)
    assert.deepEqual(await timers.due(99), [])
    const timer = await due(100)
    const moved = await Promise.all([1, 2, 3].map(() => timers.advance(store.tables(), timer, 200)))
    assert.equal(moved.filter(Boolean).length, 1)
    assert.equal(await timers.dueAt('run-set', 'a'), 200)
    assert.equal(await timers.advance(store.tables(), await due(200), null), true)
    assert.equal(await timers.dueAt('run-set', 'a'), undefined)
  })

  test('long work is leased by one server, which keeps it as long as it renews the lease', async () => {
    await timers.set(store.tables(), 'collect', '', 100)
    const timer = await due(100)
    const leases = await Promise.all(
      ['x', 'y', 'z'].map((holder) => timers.claim(timer, { holder, untilMs: 160 }, 100)),
    )
    assert.equal(leases.filter(Boolean).length, 1)
    const holder = ['x', 'y', 'z'][leases.indexOf(true)] ?? ''
    assert.deepEqual(await timers.due(150), [])
    assert.equal(await timers.renew(timer, { holder, untilMs: 210 }), true)
    assert.deepEqual(await timers.due(200), [])
    await timers.release(timer, 'nobody', 0)
    assert.deepEqual(await timers.due(200), [])
    assert.equal(await timers.nextDueAt(200), undefined)
    await timers.release(timer, holder, 500)
    assert.equal(await timers.nextDueAt(200), 500)
    assert.equal((await due(500)).dueAt, 500)
  })

  test('a lease that ran out is taken by another server, and is lost to the first', async () => {
    const timer = await due(500)
    assert.equal(await timers.claim(timer, { holder: 'dead', untilMs: 560 }, 500), true)
    assert.equal(await timers.claim(timer, { holder: 'heir', untilMs: 619 }, 559), false)
    assert.equal(await timers.claim(timer, { holder: 'heir', untilMs: 620 }, 560), true)
    assert.equal(await timers.renew(timer, { holder: 'dead', untilMs: 700 }), false)
    await timers.release(timer, 'dead', 900)
    assert.equal(await timers.dueAt('collect', ''), 500)
    await timers.free(timer, 'dead')
    assert.deepEqual(await timers.due(600), [])
    await timers.free(timer, 'heir')
    assert.equal(await timers.claim(await due(600), { holder: 'heir', untilMs: 660 }, 600), true)
    await timers.release(timer, 'heir', 1000)
  })

  test("a lease that a clock which was years ahead has left is nobody's", async () => {
    await timers.set(store.tables(), 'repair', 'c', 50)
    const [timer] = (await timers.due(600)).filter(({ kind }) => kind === 'repair')
    assert.ok(timer)
    assert.equal(await timers.claim(timer, { holder: 'dead', untilMs: 1e12 + 60_000 }, 1e12), true)
    assert.equal((await timers.due(600)).filter(({ kind }) => kind === 'repair').length, 1)
    assert.equal(await timers.claim(timer, { holder: 'heir', untilMs: 660 }, 600), true)
    await timers.release(timer, 'heir', null)
  })

  test('a timer is brought forward and never put off', async () => {
    await timers.setAtLatest('collect', '', 2000)
    assert.equal(await timers.dueAt('collect', ''), 1000)
    await timers.setAtLatest('collect', '', 700)
    assert.equal(await timers.dueAt('collect', ''), 700)
    await timers.setAtLatest('verify-set', 's', 50)
    assert.equal(await timers.dueAt('verify-set', 's'), 50)
  })
})
