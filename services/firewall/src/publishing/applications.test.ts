import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { type ProxySnapshot, proxyAddresses } from '@palisade/proxy-protocol'
import { callAsProxy } from '../testing/as-proxy.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('applications', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-applications-'))
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore(), dataDirectory })
    client = await logIn(served.baseUrl)
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  test('services that share a server are one application, and others are not', async () => {
    for (const [name, port, servers] of [
      ['plain', 8001, ['192.0.2.1']],
      ['other', 8002, ['192.0.2.9']],
      ['shop', 8003, ['192.0.2.2', '192.0.2.1']],
      ['far', 8004, ['192.0.2.2']],
    ] as const) {
      const created = await client.call('POST', 'services', {
        name,
        'ip-address': '198.51.100.1',
        port,
        type: 'HTTP',
      })
      assert.equal(created.status, 201, created.text)
      for (const address of servers) {
        const body = { name: `at-${address}`, identifier: 'IP Address', 'ip-address': address, port: 80 }
        const server = await client.call('POST', `services/${name}/servers`, body)
        assert.equal(server.status, 201, server.text)
      }
    }
    const snapshot = (await callAsProxy(served, dataDirectory, proxyAddresses.snapshot))
      .json as unknown as ProxySnapshot
    const applications = Object.fromEntries(
      snapshot.services.map(({ name, application = name }) => [name, application]),
    )
    assert.deepEqual(applications, { plain: 'far', other: 'other', shop: 'far', far: 'far' })
  })
})
