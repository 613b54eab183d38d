import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { type ProxySnapshot, proxyAddresses, readSnapshot, snapshotFormat } from '@palisade/proxy-protocol'
import { callAsProxy } from '../testing/as-proxy.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

const services = ['forum', 'mail', 'shop', 'wiki']

onEveryStore('what proxies are told of changes', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-differences-'))
  const clock = settableClock()
  let store: Store
  let served: ServedService
  let client: Client
  before(async () => {
    store = await newStore()
    served = await serveFirewall({ store, dataDirectory, clock })
    client = await logIn(served.baseUrl)
    for (const [index, name] of services.entries())
      await change('POST', 'services', { name, 'ip-address': '127.0.0.1', port: 8100 + index })
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const change = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const { status, text } = await client.call(method, path, body)
    assert.ok(status === 200 || status === 201, text)
  }
  const ask = async (query: string, from = served) => {
    const path = `${proxyAddresses.snapshot}?format=${snapshotFormat}&${query}`
    const { text } = await callAsProxy(from, dataDirectory, path)
    return text
  }
  const whole = async (from = served): Promise<ProxySnapshot> => readSnapshot(await ask('', from))
  const withDifference = (base: ProxySnapshot) => ask(`except=${base.digest}&differences=1`)

  test('of a proxy that has one of the last snapshots: the services that are other ones', async () => {
    const changes: readonly (readonly [
      expected: readonly string[],
      removed: readonly string[],
      () => Promise<void>,
    ])[] = [
      [['shop'], [], () => change('PUT', 'services/shop/basic-security', { mode: 'Active' })],
      [
        ['blog'],
        [],
        () => change('POST', 'services', { name: 'blog', 'ip-address': '127.0.0.1', port: 8109 }),
      ],
      [
        ['mail'],
        [],
        () => change('POST', 'services/mail/servers', { name: 'one', 'ip-address': '127.0.0.1', port: 9000 }),
      ],
      // A second service of the same application is named after the first.
      [
        ['wiki'],
        [],
        () => change('POST', 'services/wiki/servers', { name: 'one', 'ip-address': '127.0.0.1', port: 9000 }),
      ],
      [[], ['forum'], () => change('DELETE', 'services/forum')],
      // What several name concerns all of them.
      [
        ['blog', 'mail', 'shop', 'wiki'],
        [],
        () => change('PUT', 'security-policies/default/request-limits', { 'max-number-of-cookies': 17 }),
      ],
      [
        ['shop'],
        [],
        async () => {
          await change('POST', 'services/shop/url-encryption-rules', {
            name: 'all',
            host: '*',
            url: '/*',
          })
          await change('PUT', 'services/shop/url-encryption', { status: 'On' })
        },
      ],
      // Links are sealed with another key from time to time.
      [
        ['shop'],
        [],
        async () => {
          clock.advance(8 * 86_400_000)
          client = await logIn(served.baseUrl)
        },
      ],
    ]
    for (const [expected, removed, make] of changes) {
      const base = await whole()
      await make()
      const text = await withDifference(base)
      const difference = JSON.parse(text)
      assert.equal(difference.base, base.digest)
      assert.deepEqual(difference.services.map(({ name }: { name: string }) => name).sort(), expected)
      assert.deepEqual(difference.removed, removed)
      const [next, newest] = [readSnapshot(text, base), await whole()]
      assert.deepEqual(byName(next), byName(newest))
    }
  })

  test('of others: the whole', async () => {
    const newest = await whole()
    assert.deepEqual(readSnapshot(await ask('except=other&differences=1')), newest)
    await change('PUT', 'services/shop/basic-security', { mode: 'Passive' })
    assert.ok(!('base' in JSON.parse(await ask(`except=${newest.digest}`))))
  })

  test('leaves everything as a server says it that has compiled nothing before', async () => {
    const fresh = await serveFirewall({ store, dataDirectory, clock })
    try {
      assert.deepEqual(await whole(fresh), await whole())
    } finally {
      await fresh.close()
    }
  })
})

/** New services follow at the end, until somebody is told the whole. */
function byName(snapshot: ProxySnapshot): object {
  const services = snapshot.services.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return { ...snapshot, services }
}
