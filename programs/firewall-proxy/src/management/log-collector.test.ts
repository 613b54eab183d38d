import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createLog, type Log } from '@palisade/log'
import type { LoggedEntry, ProxyLogs } from '@palisade/proxy-protocol'
import { linkToManagement } from '../testing/management.ts'
import { openMetrics } from '../workers/metrics.ts'
import { LogCollector } from './log-collector.ts'

function entry(id: string): LoggedEntry {
  return { time: 1, id }
}

function entries(log: string, count: number): LoggedEntry[] {
  return Array.from({ length: count }, (_, number) => entry(`${log} ${number}`))
}

test('entries that the management would never take keep no others from it, and their order stays', async (t) => {
  const batches: unknown[] = []
  let isAway = true
  const link = await linkToManagement(t, ({ access, webFirewall }: ProxyLogs) => {
    const ids = [...webFirewall, ...access].map(({ id }) => id)
    const status = isAway ? 503 : ids.includes('bad') ? 400 : ids.length > 100 ? 413 : 204
    if (status === 204) batches.push(...ids)
    return status
  })
  const collector = new LogCollector(link, createLog('silent'))
  const access = entries('access', 700)
  const webFirewall = entries('firewall', 20)
  collector.take([...access.slice(0, 300), entry('bad'), ...access.slice(300)], webFirewall)
  const { signal } = new AbortController()
  await collector.flush(signal)
  assert.deepEqual(batches, [])
  isAway = false
  await collector.flush(signal)
  assert.deepEqual(
    batches,
    [...webFirewall, ...access].map(({ id }) => id),
  )
  await collector.flush(signal)
  assert.equal(batches.length, 720)
})

/** An attack as a flood of one client brings it, but for what differs between its requests. */
function attack(number: number, more: Readonly<Record<string, string>> = {}): LoggedEntry {
  return {
    time: 1_000 + number,
    'request-id': `request ${number}`,
    'client-port': number,
    'client-ip': '192.0.2.1',
    rule: '942100',
    url: '/',
    'query-string': `a=${number}`,
    'attack-detail': `Found ${number}.`,
    ...more,
  }
}

/** A collector with what the management got, and what was told of losses. */
async function collected(t: TestContext) {
  const brought: LoggedEntry[] = []
  const messages: unknown[] = []
  const management = { status: 204 }
  const link = await linkToManagement(t, ({ access, webFirewall }: ProxyLogs) => {
    if (management.status === 204) brought.push(...webFirewall, ...access)
    return management.status
  })
  const warn = (fields: object, message: string) => messages.push({ ...fields, message })
  const collector = new LogCollector(link, {
    ...createLog('silent'),
    warn,
    debug: () => undefined,
  } as unknown as Log)
  return { collector, brought, told: messages, management, signal: new AbortController().signal }
}

test('a flood of one attack is told whole by few entries, and another attack in it by its own', async (t) => {
  const { collector, brought, told, signal } = await collected(t)
  const count = 60_000
  for (let number = 0; number < count; number++) collector.take([], [attack(number)])
  collector.take([], [attack(0, { rule: '932100', 'attack-detail': 'Another one.' })])
  await collector.flush(signal)
  assert.deepEqual(told, [])
  assert.equal(brought.length, 10_002)
  const [merged] = brought.slice(-2)
  assert.deepEqual(merged, {
    ...attack(10_000),
    'attack-detail': `Found 10000. ${count - 10_001} more like it until 1970-01-01T00:01:00.999Z.`,
  })
  assert.equal(brought.at(-1)?.['attack-detail'], 'Another one.')
  assert.equal(collector.logFigures.merged, count - 10_001)
  // Afterwards each has an entry again.
  collector.take([], [attack(1), attack(2)])
  await collector.flush(signal)
  assert.equal(brought.length, 10_004)
})

test('entries are merged anew when the one that tells them has been brought', async (t) => {
  const { collector, brought, management, signal } = await collected(t)
  const flood = (from: number) => {
    for (let number = from; number < from + 15_000; number++) collector.take([], [attack(number)])
  }
  flood(0)
  management.status = 503
  await collector.flush(signal)
  management.status = 204
  await collector.flush(signal)
  flood(15_000)
  await collector.flush(signal)
  const more = brought.map((one) => Number(/(\d+) more like it/.exec(String(one['attack-detail']))?.[1] ?? 0))
  assert.equal(
    more.reduce((sum, count) => sum + count + 1, 0),
    30_000,
  )
})

test('what is given up all the same is counted and told by why', async (t) => {
  const { collector, brought, told, management, signal } = await collected(t)
  const flood = (count: number) => {
    for (let number = 0; number < count; number++) {
      collector.take([entry(`${number}`)], [attack(number, { url: `/${number}` })])
    }
  }
  flood(21_000)
  await collector.flush(signal)
  const lost = 2 * 2_001
  assert.deepEqual(collector.logFigures.lost, { 'management-away': 0, 'too-many': lost, refused: 0 })
  assert.equal(brought.length, 42_000 - lost)
  management.status = 503
  collector.take([entry('one')], [])
  await collector.flush(signal)
  flood(21_000)
  management.status = 204
  await collector.flush(signal)
  management.status = 400
  collector.take([entry('one'), entry('two')], [])
  await collector.flush(signal)
  const { lost: all } = collector.logFigures
  assert.equal(all['too-many'], lost)
  assert.ok(all['management-away'] >= lost)
  assert.equal(all.refused, 2)
  assert.deepEqual(told, [
    {
      entries: lost,
      cause: 'too-many',
      message: 'log entries were given up: they came faster than the management took them',
    },
    {
      entries: all['management-away'],
      cause: 'management-away',
      message: 'log entries were given up: the management was away for longer than they could wait',
    },
    {
      entries: 2,
      cause: 'refused',
      message: 'log entries were given up that the management refused',
    },
  ])
  const server = await openMetrics(
    { host: '127.0.0.1', port: 0 },
    { figures: new Map(), ends: { ended: 0, hung: 0 } },
    collector,
    { version: '1.2.3', management: { isUp: false } },
  )
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const metrics = await (
    await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } })
  ).text()
  assert.match(
    metrics,
    new RegExp(`^palisade_proxy_log_entries_lost_total\\{cause="too-many"\\} ${lost}$`, 'm'),
  )
  assert.match(metrics, /^palisade_proxy_log_entries_merged_total 0$/m)
})
