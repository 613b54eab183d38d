import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { proxyAddresses } from '@palisade/proxy-protocol'
import { callAsProxy } from '../testing/as-proxy.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

const yearMs = 365 * 86_400_000

onEveryStore('what a holder of the proxy key claims', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-claims-'))
  const clock = settableClock()
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore(), dataDirectory, clock })
    client = await logIn(served.baseUrl)
    const shop = { name: 'shop', 'ip-address': '127.0.0.9', port: 8081 }
    assert.equal((await client.call('POST', 'services', shop)).status, 201)
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const tell = async (path: string, body: object) => {
    const { status, text } = await callAsProxy(served, dataDirectory, path, body)
    assert.equal(status, 204, text)
  }
  const requests = async (query = '') => {
    const { status, json } = await client.get(`stats/http-stats${query}`)
    assert.equal(status, 200, JSON.stringify(json))
    return Object.values<Record<string, string>>(json.data)[0]?.requests
  }
  let messages = 0
  const count = (service: string, value: number, time: number, entries = 1) => {
    const one = { time, service, counts: { requests: value } }
    const counted = Array.from({ length: entries }, () => one)
    return tell(proxyAddresses.counts, { proxy: 'p', message: String(messages++), counted })
  }

  test('adds nothing to services that are not there', async () => {
    await count('nobody', 5, clock.now())
    await count('shop', 3, clock.now())
    assert.equal(await requests(), '3')
  })

  test('is of now where it is of a time to come, and does not outlive the rest', async () => {
    const later = clock.now() + 50 * yearMs
    await count('shop', 4, later)
    assert.equal(await requests('?minutes=1'), '7')
    const entry = (time: number, url: string) => ({ time, url, 'client-ip': '192.0.2.7' })
    await tell(proxyAddresses.logs, {
      access: [entry(later, '/first')],
      webFirewall: [{ time: later, attack: 'SQL Injection', url: '/first' }],
    })
    clock.advance(1_000)
    await tell(proxyAddresses.logs, { access: [entry(clock.now(), '/second')], webFirewall: [] })
    const { data } = (await client.get('access-logs')).json
    const urls = Object.values(data as Record<string, Record<string, string>>).map(({ url }) => url)
    assert.deepEqual(urls, ['/second', '/first'])
    const [attack] = Object.values(
      (await client.get('web-firewall-logs')).json.data as Record<string, Record<string, string>>,
    )
    assert.equal(attack?.time, String(clock.now() - 1_000))
  })

  test('stops no counter, however large it is', async () => {
    let reports = 0
    for (let message = 0; message < 3; message++) {
      await count('shop', Number.MAX_SAFE_INTEGER, clock.now(), 1_000)
      clock.advance(60_000)
      reports++
    }
    await count('shop', 1, clock.now())
    assert.equal(reports, 3)
    assert.equal(await requests(), String(Number.MAX_SAFE_INTEGER))
    assert.equal(await requests('?minutes=10'), String(Number.MAX_SAFE_INTEGER))
    assert.equal(await requests('?minutes=1'), '1')
  })
})
