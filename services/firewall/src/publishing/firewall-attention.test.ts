import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createLog, type HttpService, type Store } from '@palisade/platform'
import { onEveryStore, type ServedService, serveOnLoopback, settableClock } from '@palisade/platform/testing'
import { type ProxyReport, proxyAddresses } from '@palisade/proxy-protocol'
import type { FirewallLogTables } from '../logs/tables.ts'
import { callAsProxy } from '../testing/as-proxy.ts'
import { firewallService } from '../testing/firewall.ts'

onEveryStore('attention to the firewall', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-attention-'))
  const clock = settableClock()
  let store: Store
  let firewall: HttpService
  let served: ServedService
  before(async () => {
    store = await newStore()
    firewall = await firewallService({ store, dataDirectory, clock })
    served = await serveOnLoopback(firewall, { log: createLog('silent') })
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const attention = async () =>
    ((await firewall.attention?.()) ?? []).map(({ condition, subject, severity }) => [
      condition,
      subject,
      severity,
    ])

  async function report(up: Readonly<Record<string, boolean>>): Promise<void> {
    const servers = Object.entries(up).map(([name, isUp]) => ({
      name,
      isUp,
      reason: isUp ? '' : 'It refuses connections.',
    }))
    const report: ProxyReport = {
      proxy: 'p1',
      version: 1,
      digest: '',
      problem: '',
      rulesProblem: '',
      services: [{ name: 'shop', isUp: true, reason: '', servers }],
    }
    assert.equal((await callAsProxy(served, dataDirectory, proxyAddresses.report, report)).status, 204)
  }

  test('a server that proxies do not reach, graver when no other is left, until it is back', async () => {
    await report({ one: true, two: false })
    assert.deepEqual(await attention(), [['server-down', 'server shop/two', 'warning']])
    await report({ one: false, two: false })
    assert.deepEqual(await attention(), [
      ['server-down', 'server shop/one', 'critical'],
      ['server-down', 'server shop/two', 'critical'],
    ])
    await report({ one: true, two: true })
    assert.deepEqual(await attention(), [])
  })

  test('a service of which a hundred requests were denied in five minutes, and none with fewer or longer ago', async () => {
    const minute = Math.floor(clock.now() / 60_000) * 60_000
    const counted = (service: string, counter: string, value: number, minutesAgo: number) => ({
      service,
      counter,
      value,
      minute: minute - minutesAgo * 60_000,
    })
    await store
      .tables<FirewallLogTables>()
      .insertInto('firewall_traffic_counter')
      .values([
        counted('shop', 'requests-denied', 60, 0),
        counted('shop', 'requests-denied', 40, 4),
        counted('mail', 'requests-denied', 99, 1),
        counted('mail', 'requests-denied', 5000, 7),
        counted('wiki', 'requests', 5000, 0),
        counted('wiki', 'attacks-denied', 5000, 0),
      ])
      .execute()
    assert.deepEqual(await attention(), [['attack-wave', 'service shop', 'warning']])
    clock.advance(10 * 60_000)
    assert.deepEqual(await attention(), [])
  })
})
