import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, migrate } from '@palisade/platform'
import { onEveryStore, settableClock } from '@palisade/platform/testing'
import type { StoredRequest } from '@palisade/proxy-protocol'
import { firewallMigrations } from '../migrations.ts'
import { StoredRequests } from './stored-requests.ts'

const dayMs = 24 * 60 * 60 * 1000

onEveryStore('stored requests', (newStore) => {
  test('go with their age, and the oldest of each sort where they take too much room', async (t) => {
    const store = await newStore()
    await migrate(store, 'firewall', firewallMigrations)
    const clock = settableClock()
    let bytesMax = 1_000_000
    const requests = new StoredRequests({
      store,
      clock,
      log: createLog('silent'),
      key: Buffer.alloc(32, 7),
      boundsOf: () => ({ bytesMax, daysMax: 3 }),
    })
    t.after(() => requests.close())
    const request = (id: string, isRefused: boolean): StoredRequest => ({
      id,
      service: 'shop',
      time: clock.now(),
      clientAddress: '192.0.2.1',
      isSecure: false,
      method: 'GET',
      target: `/${'a'.repeat(1_000)}`,
      httpVersion: '1.1',
      headers: [],
      isRefused,
    })
    const ids = async () => (await requests.of('shop', 100, 1_000_000)).map(({ id }) => id)
    for (const number of [1, 2, 3]) {
      await requests.take([request(`refused-${number}`, true), request(`ordinary-${number}`, false)])
      clock.advance(dayMs)
    }
    // Those of the first day are three days old, and no sweep has been yet.
    const afterThreeDays = ['refused-3', 'refused-2', 'ordinary-3', 'ordinary-2']
    assert.deepEqual(await ids(), afterThreeDays)
    assert.equal((await requests.sizeOf('shop')).requests, 6)
    await requests.sweep()
    assert.equal((await requests.sizeOf('shop')).requests, 4)

    // Either sort has half of the room: two requests of some 1,200 characters.
    bytesMax = 6_000
    await requests.take(['a', 'b', 'c'].map((name) => request(`ordinary-4${name}`, false)))
    const left = await ids()
    assert.deepEqual(left.slice(0, 2), ['refused-3', 'refused-2'], 'the others have not pushed them out')
    assert.equal(left.length, 4)
    assert.ok(
      left.slice(2).every((id) => id.startsWith('ordinary-4')),
      String(left),
    )
    assert.ok((await requests.sizeOf('shop')).bytes <= bytesMax)
  })
})
