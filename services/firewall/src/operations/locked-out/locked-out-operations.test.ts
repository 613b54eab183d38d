import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'
import { LockedOutClients } from './locked-out-clients.ts'

onEveryStore('clients that are locked out', (newStore) => {
  const clock = settableClock()
  let served: ServedService
  let client: Client
  let lockedOut: LockedOutClients
  const fingerprint = 'f022e76486a907ab3f38b3dfd0423a69'
  beforeEach(async () => {
    const store = await newStore()
    served = await serveFirewall({ store, clock })
    client = await logIn(served.baseUrl)
    for (const [index, name] of ['shop', 'office'].entries()) {
      await client.call('POST', 'services', { name, 'ip-address': '192.0.2.1', port: 80 + index })
    }
    lockedOut = new LockedOutClients({ store, clock })
    await lock('shop', '198.51.100.7')
    await lock('shop', fingerprint)
    await lock('office', '198.51.100.7')
  })
  afterEach(() => served.close())

  const lock = (service: string, locked: string) =>
    lockedOut.lock({
      service,
      client: locked,
      reason: 'too many requests',
      lockedUntil: clock.now() + 60_000,
    })
  const listed = async (query = '') => {
    const { status, json } = await client.get(`locked-out-clients${query}`)
    assert.equal(status, 200)
    const data: Record<string, object> = json.data ?? {}
    return Object.fromEntries(
      Object.entries(data).map(([name, clients]) => [name, Object.keys(clients).sort()]),
    )
  }
  const release = (query: string) => client.call('DELETE', `locked-out-clients?${query}`)

  test('are listed by service, until their time is over', async () => {
    const { json } = await client.get('locked_out_clients?services=shop')
    assert.deepEqual(json.data.shop['198.51.100.7'], {
      object: 'Locked out Clients',
      client: '198.51.100.7',
      type: 'Client IP',
      reason: 'too many requests',
      'locked-until': new Date(clock.now() + 60_000).toISOString(),
    })
    assert.equal(json.data.shop[fingerprint].type, 'Client Fingerprint')
    const all = { shop: ['198.51.100.7', fingerprint], office: ['198.51.100.7'] }
    assert.deepEqual(await listed(), all)
    assert.deepEqual(await listed('?services=shop,office'), all)
    assert.equal((await client.get('locked-out-clients?services=ghost')).status, 404)
    assert.equal(await lockedOut.isLockedOut('shop', '198.51.100.7'), true)
    clock.advance(60_000)
    assert.deepEqual(await listed(), {})
    assert.equal(await lockedOut.isLockedOut('shop', '198.51.100.7'), false)
  })

  test('are released one by one, for some services or all, and all at once', async () => {
    assert.equal((await release('services=shop')).status, 400)
    assert.match((await release(`services=shop&client=${fingerprint},203.0.113.1`)).json.msg, /ended: 1\./)
    assert.deepEqual(await listed(), { shop: ['198.51.100.7'], office: ['198.51.100.7'] })
    assert.match((await release('services=all-services&client=198.51.100.7')).json.msg, /ended: 2\./)
    await lock('shop', '198.51.100.8')
    await lock('office', '198.51.100.9')
    assert.match((await release('services=office&client=all-clients')).json.msg, /ended: 1\./)
    assert.deepEqual(await listed(), { shop: ['198.51.100.8'] })
    assert.equal((await release('services=ghost&client=all-clients')).status, 404)
    assert.match((await release('client=all-clients')).json.msg, /ended: 1\./)
    assert.deepEqual(await listed(), {})
  })

  test('are seen and released only by who reaches the service', async () => {
    const role = {
      name: 'shopkeeper',
      'api-privilege': 'Yes',
      objects: ['services:write'],
      services: ['shop:write'],
    }
    await client.call('POST', 'administrator-roles', role)
    const user = {
      name: 'sam',
      'email-address': 's@example.com',
      role: 'shopkeeper',
      password: 'a long password 1',
    }
    await client.call('POST', 'users', user)
    const sam = await logIn(served.baseUrl, { username: 'sam', password: 'a long password 1' })
    assert.deepEqual(Object.keys((await sam.get('locked-out-clients')).json.data), ['shop'])
    assert.equal((await sam.get('locked-out-clients?services=office')).status, 404)
    await sam.call('DELETE', 'locked-out-clients?client=all-clients')
    assert.deepEqual(await listed(), { office: ['198.51.100.7'] })
  })
})
