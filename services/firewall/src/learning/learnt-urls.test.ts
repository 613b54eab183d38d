import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '@palisade/platform'
import { onEveryStore, settableClock } from '@palisade/platform/testing'
import type { LearntUrl } from '@palisade/proxy-protocol'
import { firewallMigrations } from '../migrations.ts'
import { LearntUrls } from './learnt-urls.ts'

onEveryStore('sketches of URLs', (newStore) => {
  test('have the requests of all proxies, whichever server they tell', async () => {
    const store = await newStore()
    await migrate(store, 'firewall', firewallMigrations)
    const clock = settableClock()
    const servers = Array.from({ length: 4 }, () => new LearntUrls({ store, clock }))
    const urls = ['/one', '/two', '/three']
    for (let round = 1; round <= 5; round++) {
      await Promise.all(
        servers.map((server, index) => {
          const order = index % 2 === 0 ? urls : urls.toReversed()
          return server.take(order.map((url) => askedOnce(url, clock.now())))
        }),
      )
    }
    const sketches = await servers[0]?.of('wiki')
    assert.deepEqual(
      new Map(sketches?.map(({ url, requests }) => [url, requests])),
      new Map([
        ['/one', 20],
        ['/three', 20],
        ['/two', 20],
      ]),
    )
  })
})

function askedOnce(url: string, now: number): LearntUrl {
  return {
    service: 'wiki',
    url,
    requests: 1,
    clients: ['192.0.2.1'],
    firstAt: now,
    lastAt: now,
    methods: ['GET'],
    contentTypes: [],
    bodyBytes: 0,
    files: 0,
    parameters: [],
  }
}
