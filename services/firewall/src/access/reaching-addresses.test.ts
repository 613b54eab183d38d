import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '@palisade/platform'
import { onEveryStore, type ServedService, send, serveOnLoopback } from '@palisade/platform/testing'
import { basic, type Client, logIn } from '../testing/client.ts'
import { administrator, firewallService } from '../testing/firewall.ts'

onEveryStore('where administrators may come from', (newStore) => {
  let served: ServedService
  let here: Client
  before(async () => {
    const service = await firewallService({ store: await newStore() })
    served = await serveOnLoopback(service, { log: createLog('silent'), trustedProxies: ['127.0.0.1'] })
    here = await logIn(served.baseUrl)
  })
  after(() => served.close())

  /** As somebody elsewhere, behind a proxy that is trusted. */
  const from = (
    address: string,
    method: string,
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ) =>
    send(`${served.baseUrl}/restapi/v3.2/${path}`, {
      method,
      headers: { ...basic(`${here.token}:`), 'x-forwarded-for': address, ...headers },
      ...(body === undefined ? {} : { body }),
    })
  const range = (address: string, netmask: string) => ({ 'ip-address': address, netmask })
  const login = { body: administrator }

  test('is everywhere while no range is named', async () => {
    assert.equal((await from('198.51.100.7', 'GET', 'services')).status, 200)
  })

  test('is a range that is named, for logins and for every request, and this machine', async () => {
    const own = range('192.0.2.0', '255.255.255.0')
    assert.equal((await from('192.0.2.9', 'POST', 'admin-ip-range', { body: own })).status, 201)
    assert.equal((await here.call('POST', 'admin-ip-range', range('2001:db8::', '32'))).status, 201)
    let ran = 0
    for (const [address, status] of [
      ['192.0.2.200', 200],
      ['192.0.3.1', 403],
      ['2001:db8:1::1', 200],
      ['2001:db9::1', 403],
      ['198.51.100.7, 192.0.2.1', 200],
      ['192.0.2.1, 198.51.100.7', 403],
    ] as const) {
      assert.equal((await from(address, 'GET', 'services')).status, status, address)
      assert.equal((await from(address, 'POST', 'login', login)).status, status, address)
      ran++
    }
    assert.equal(ran, 6)
    assert.equal((await here.get('services')).status, 200)
    for (const path of ['/restapi//v3.2/services', '/restapi/v3.1/services', '//restapi/v3.2/services']) {
      const reply = await send(`${served.baseUrl}${path}`, {
        headers: { ...basic(`${here.token}:`), 'x-forwarded-for': '198.51.100.7' },
      })
      assert.ok([403, 404].includes(reply.status), `${path}: ${reply.status}`)
    }
  })

  test('cannot be changed so that its author shuts himself out', async () => {
    const { data } = (await here.get('admin-ip-range')).json
    assert.equal(Object.keys(data as object).length, 2)
    const shutOut = await from('192.0.2.9', 'DELETE', 'admin-ip-range/192.0.2.0')
    assert.equal(shutOut.status, 400)
    assert.match(shutOut.json.msg ?? '', /could not come from 192\.0\.2\.9 any more/)
    assert.equal((await here.call('DELETE', 'admin-ip-range/192.0.2.0')).status, 200)
    assert.equal((await from('192.0.2.9', 'GET', 'services')).status, 403)
    assert.equal((await here.call('DELETE', 'admin-ip-range/2001:db8::')).status, 200)
    assert.equal((await from('192.0.2.9', 'GET', 'services')).status, 200)
    const foreign = await from('192.0.2.9', 'POST', 'admin-ip-range', { body: range('203.0.113.0', '24') })
    assert.equal(foreign.status, 400)
  })

  test('is HTTPS where that is asked for, except on this machine', async () => {
    const section = 'system/secure-administration'
    assert.equal((await here.call('PUT', section, { 'https-access-only': 'Yes' })).status, 200)
    assert.equal((await from('192.0.2.9', 'GET', 'services')).status, 403)
    const secure = { headers: { 'x-forwarded-proto': 'https' } }
    assert.equal((await from('192.0.2.9', 'GET', 'services', secure)).status, 200)
    assert.equal((await here.get('services')).status, 200)
    assert.equal((await here.call('PUT', section, { 'https-access-only': 'No' })).status, 200)
    assert.equal((await from('192.0.2.9', 'GET', 'services')).status, 200)
  })
})
