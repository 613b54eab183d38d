import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoggedEntry, ProxyLogs } from '@palisade/proxy-protocol'
import { createLog } from '../log.ts'
import { linkToManagement } from '../testing/management.ts'
import { LogCollector } from './log-collector.ts'

function entry(id: string): LoggedEntry {
  return { time: 1, id }
}

function entries(log: string, count: number): LoggedEntry[] {
  return Array.from({ length: count }, (_, number) => entry(`${log} ${number}`))
}

test('entries that the management would never take keep no others from it, and their order stays', async (t) => {
  const taken: unknown[] = []
  let isAway = true
  const link = await linkToManagement(t, ({ access, webFirewall }: ProxyLogs) => {
    const ids = [...webFirewall, ...access].map(({ id }) => id)
    const status = isAway ? 503 : ids.includes('bad') ? 400 : ids.length > 100 ? 413 : 204
    if (status === 204) taken.push(...ids)
    return status
  })
  const collector = new LogCollector(link, createLog('silent'))
  const access = entries('access', 700)
  const webFirewall = entries('firewall', 20)
  collector.take([...access.slice(0, 300), entry('bad'), ...access.slice(300)], webFirewall)
  const { signal } = new AbortController()
  await collector.flush(signal)
  assert.deepEqual(taken, [])
  isAway = false
  await collector.flush(signal)
  assert.deepEqual(
    taken,
    [...webFirewall, ...access].map(({ id }) => id),
  )
  await collector.flush(signal)
  assert.equal(taken.length, 720)
})
