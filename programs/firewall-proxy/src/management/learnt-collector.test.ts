import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@palisade/log'
import type { LearntUrl, ProxyLearnt } from '@palisade/proxy-protocol'
import { linkToManagement } from '../testing/management.ts'
import { LearntCollector } from './learnt-collector.ts'

function learntUrl(url: string): LearntUrl {
  return {
    service: 'shop',
    url,
    requests: 1,
    clients: ['192.0.2.1'],
    firstAt: 1,
    lastAt: 1,
    methods: ['GET'],
    contentTypes: [],
    bodyBytes: 0,
    files: 0,
    parameters: [],
  }
}

test('what the management would never take keeps nothing else from it, and what it takes later waits', async (t) => {
  const batches: string[] = []
  let isAway = true
  const link = await linkToManagement(t, ({ urls }: ProxyLearnt) => {
    const names = urls.map(({ url }) => url)
    const status = isAway ? 503 : names.includes('/bad') ? 400 : names.length > 3 ? 413 : 204
    if (status === 204) batches.push(...names)
    return status
  })
  const collector = new LearntCollector(link, createLog('silent'))
  const good = Array.from({ length: 20 }, (_, number) => `/${number}`)
  collector.take([...good.slice(0, 7), '/bad', ...good.slice(7)].map(learntUrl))
  const { signal } = new AbortController()
  await collector.flush(signal)
  assert.deepEqual(batches, [])
  isAway = false
  await collector.flush(signal)
  assert.deepEqual(batches.sort(), good.sort())
  await collector.flush(signal)
  assert.equal(batches.length, good.length)
})
