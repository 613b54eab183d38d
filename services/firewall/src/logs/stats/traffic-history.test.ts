import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { proxyAddresses, type TrafficCounts } from '@palisade/proxy-protocol'
import { callAsProxy } from '../../testing/as-proxy.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'
import { limitedAdministrator } from '../../testing/limited-administrator.ts'
import { countedHoursMax, countedMinutesMax, StoredCounters } from './stored-counters.ts'

const minuteMs = 60_000

onEveryStore('the history of traffic', (newStore) => {
  let served: ServedService
  let client: Client
  let store: Store
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-history-'))
  const clock = settableClock()
  /** Time passes, the minutes and hours of long ago are removed, and the token has expired. */
  async function later(minutes: number): Promise<void> {
    clock.advance(minutes * minuteMs)
    await new StoredCounters({ store }).sweep(clock.now())
    client = await logIn(served.baseUrl)
  }
  before(async () => {
    store = await newStore()
    served = await serveFirewall({ store, dataDirectory, clock })
    client = await logIn(served.baseUrl)
    for (const [name, ip] of [
      ['shop', '192.0.2.1'],
      ['mail', '192.0.2.2'],
    ])
      assert.equal((await client.call('POST', 'services', { name, 'ip-address': ip })).status, 201)
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  let message = 0
  async function count(time: number, service: string, counts: TrafficCounts['counts']): Promise<void> {
    const body = { proxy: 'one', message: String(message++), counted: [{ time, service, counts }] }
    const reply = await callAsProxy(served, dataDirectory, proxyAddresses.counts, body)
    assert.equal(reply.status, 204, reply.text)
  }

  interface Told {
    readonly times: readonly string[]
    readonly services: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>
  }
  async function history(query: string): Promise<Told> {
    const { status, json, text } = await client.call('GET', `stats/history?${query}`)
    assert.equal(status, 200, text)
    return json.data as Told
  }

  test('has a value for each step, by minutes, by several of them, and by hours', async () => {
    const hour = 60 * minuteMs
    await later(90 - (clock.now() % hour) / minuteMs)
    const now = clock.now()
    await count(now, 'shop', { requests: 5, attacks: 1 })
    await count(now, 'shop', { requests: 2 })
    await count(now - 2 * minuteMs, 'shop', { requests: 10 })
    await count(now - 2 * hour, 'mail', { 'bytes-sent': 7 })
    assert.deepEqual((await history('steps=3')).services, {
      shop: { requests: [10, 0, 7], attacks: [0, 0, 1] },
    })
    assert.deepEqual((await history('service=shop&step-minutes=5&steps=2')).services, {
      shop: { requests: [10, 7], attacks: [0, 1] },
    })
    const byHour = await history('step-minutes=60&steps=3&counters=bytes-sent,requests')
    assert.deepEqual(byHour.services, { shop: { requests: [0, 0, 17] }, mail: { 'bytes-sent': [7, 0, 0] } })
    assert.equal(byHour.times.length, 3)
    assert.equal(byHour.times[2], new Date(now - 30 * minuteMs).toISOString())
  })

  test('has hours when the minutes are forgotten, and forgets those of a quarter ago', async () => {
    const day = 24 * 60
    const before = (await history(`step-minutes=${day}&steps=2`)).services.shop?.requests
    assert.equal(
      before?.reduce((sum, value) => sum + value, 0),
      17,
    )
    await later(countedMinutesMax + day)
    const sum = async () => (await history(`step-minutes=${day}&steps=90`)).services.shop?.requests
    assert.equal(
      (await sum())?.reduce((total, value) => total + value, 0),
      17,
    )
    await later(countedHoursMax * 60)
    assert.equal(await sum(), undefined)
  })

  test('is refused where it asks for what there is not', async () => {
    for (const [query, named] of [
      ['steps=0', 'steps'],
      ['steps=1001', 'steps'],
      ['step-minutes=7&steps=1000000', 'steps'],
      ['step-minutes=59&steps=1000', 'steps'],
      ['step-minutes=1.5', 'step-minutes'],
      ['counters=requests,colour', 'counters'],
      ['counters=', 'counters'],
      ['service=', 'service'],
      ['service=shop%00', 'service'],
      ['colour=1', 'colour'],
    ] as const) {
      const { status, json } = await client.call('GET', `stats/history?${query}`)
      assert.equal(status, 400, query)
      assert.match(String(json.msg), new RegExp(named))
    }
    const limited = await limitedAdministrator(served.baseUrl, client, 'reads-shop')
    await limited.allow({ operations: ['view-traffic-logs'], services: ['shop:read'] })
    assert.equal((await limited.call('GET', 'stats/history?service=shop')).status, 200)
    assert.equal((await limited.call('GET', 'stats/history?service=mail')).status, 403)
    await limited.allow({ services: ['shop:read'] })
    assert.equal((await limited.call('GET', 'stats/history?service=shop')).status, 403)
  })
})
