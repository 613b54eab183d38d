import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, send, serveOnLoopback } from '@palisade/platform/testing'
import { proxyAddresses } from '@palisade/proxy-protocol'
import { callAsProxy } from '../testing/as-proxy.ts'
import { basic, type Client, logIn } from '../testing/client.ts'
import { administrator, firewallService } from '../testing/firewall.ts'

/** Somebody who may be locked anywhere: he may not change everything. */
const watcher = { username: 'watcher', password: 'another long secret', role: 'guest' }

onEveryStore('the management at the listener of the other services', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-firewall-'))
  let own: ServedService
  let beside: ServedService
  let client: Client
  before(async () => {
    const store = await newStore()
    const service = await firewallService({ store, dataDirectory, administrators: [administrator, watcher] })
    // Each as its listener mounts it, behind a proxy that is trusted.
    own = await serveOnLoopback(service, { trustedProxies: ['127.0.0.1'] })
    beside = await serveOnLoopback(service.besideOthers, { trustedProxies: ['127.0.0.1'] })
    client = await logIn(beside.baseUrl)
  })
  after(async () => {
    await beside.close()
    await own.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const at = (served: ServedService, method: string, path: string, body?: unknown, headers = {}) =>
    send(`${served.baseUrl}${path}`, {
      method,
      headers: { ...basic(`${client.token}:`), ...headers },
      ...(body === undefined ? {} : { body }),
    })
  /** Tokens, dates and ids of requests are other ones in each reply. */
  const comparable = ({ status, text, headers }: Awaited<ReturnType<typeof at>>) => {
    const { date: _date, 'content-length': _length, 'x-request-id': id, ...compared } = headers
    assert.ok(id)
    return { status, text: text.replace(/"token":"[^"]*"/g, '"token":""'), headers: compared }
  }

  test('answers whatever is asked as the own listener does', async () => {
    const created = await at(beside, 'POST', '/restapi/v3.2/services', {
      name: 'my.shop',
      'ip-address': '192.0.2.1',
      port: '8080',
      type: 'HTTP',
    })
    assert.equal(created.status, 201, created.text)
    let ran = 0
    for (const [method, path, body] of [
      ['GET', '/restapi/v3.2/services'],
      ['GET', '/restapi/v3.1/services/my%2Eshop'],
      ['GET', '/restapi/v3/services/my%2Eshop/url-encryption'],
      ['GET', '/restapi/v3.2/services/my%2Eshop/?parameters=port'],
      ['GET', '/restapi//v3.2/services'],
      ['GET', '//restapi/v3.2//services/'],
      ['GET', '/restapi/v3.2/SECURITY_POLICIES/default'],
      ['GET', '/restapi/v3.2/web-firewall-logs'],
      ['GET', '/restapi/v3.2/firewall/restapi/v3.2/services'],
      ['GET', '/restapi/v3.2/services/none'],
      ['GET', '/restapi/v3.2/nothing'],
      ['GET', '/restapi/v3.2/%zz'],
      ['GET', '/restapi/v3.2'],
      ['GET', '/restapi/v4/services'],
      ['GET', '/nothing'],
      ['GET', '/restapi/v1/services'],
      ['PATCH', '/restapi/v3.2/services'],
      ['DELETE', '/restapi/v3.2/security-policies/default'],
      ['PUT', '/restapi/v3.2/services/my%2Eshop', { port: 'none' }],
      ['PUT', '/restapi/v3.2/services/my%2Eshop', { port: '8081' }],
      ['POST', '/restapi/v3.2/services', '{'],
      ['POST', '/restapi/v1/login', {}],
      ['POST', '/restapi/v3.2/LogIn', { username: 'admin', password: 'wrong' }],
      ['GET', '/restapi/v3.2/login'],
      ['POST', '/restapi/v3.2/certificates', { name: 'c' }],
    ] as const) {
      const [expected, reply] = [await at(own, method, path, body), await at(beside, method, path, body)]
      assert.deepEqual(comparable(reply), comparable(expected), `${method} ${path}`)
      ran++
    }
    assert.ok(ran === 25)
    const stranger = { authorization: 'Basic bm9ib2R5Og==' }
    const refused = await at(beside, 'GET', '/restapi/v3.2/services', undefined, stranger)
    assert.deepEqual(
      comparable(refused),
      comparable(await at(own, 'GET', '/restapi/v3.2/services', undefined, stranger)),
    )
    assert.equal(refused.status, 401)
  })

  test('a token counts at both, until it is logged out at either', async () => {
    const other = await logIn(own.baseUrl)
    const headers = basic(`${other.token}:`)
    assert.equal((await at(beside, 'GET', '/restapi/v3.2/services', undefined, headers)).status, 200)
    assert.equal((await at(beside, 'DELETE', '/restapi/v3.2/logout', undefined, headers)).status, 202)
    for (const served of [own, beside]) {
      assert.equal((await at(served, 'GET', '/restapi/v3.2/services', undefined, headers)).status, 401)
    }
  })

  test('lets nobody in from outside of admin-ip-range, or over HTTP where HTTPS is asked for', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const inside = from('192.0.2.9')
    const range = { 'ip-address': '192.0.2.0', netmask: '24' }
    const reply = await at(beside, 'POST', '/restapi/v3.2/admin-ip-range', range, inside)
    assert.equal(reply.status, 201, reply.text)
    const reaching = async (headers: Record<string, string>, baseUrl = beside.baseUrl) => {
      const login = await send(`${baseUrl}/restapi/v3.2/login`, {
        method: 'POST',
        headers,
        body: administrator,
        ...(baseUrl.startsWith('https') ? { ca: beside.certificate } : {}),
      })
      const listing = await at(beside, 'GET', '/restapi/v3.2/services', undefined, headers)
      return [login.status, listing.status]
    }
    assert.deepEqual(await reaching(inside), [200, 200])
    assert.deepEqual(await reaching(from('198.51.100.7')), [403, 403])
    const secure = { 'https-access-only': 'Yes' }
    await client.call('PUT', 'system/secure-administration', secure)
    assert.deepEqual(await reaching(inside), [403, 403])
    assert.deepEqual(await reaching({ ...inside, 'x-forwarded-proto': 'https' }), [200, 200])
    await client.call('PUT', 'system/secure-administration', { 'https-access-only': 'No' })
  })

  test('has no addresses for proxies and no page for browsers', async () => {
    assert.equal((await callAsProxy(own, dataDirectory, proxyAddresses.snapshot)).status, 200)
    assert.equal((await callAsProxy(beside, dataDirectory, proxyAddresses.snapshot)).status, 404)
    assert.equal((await at(own, 'GET', '/cgi-mod/index.cgi')).status, 200)
    assert.equal((await at(beside, 'GET', '/cgi-mod/index.cgi')).status, 404)
  })

  test('failed logins lock out at both, wherever they were', async () => {
    const attempt = async (served: ServedService, password: string) =>
      (await at(served, 'POST', '/restapi/v3.2/login', { ...watcher, password })).status
    for (const served of [own, beside, own, beside, beside]) {
      assert.equal(await attempt(served, 'wrong'), 401)
    }
    for (const served of [own, beside]) assert.equal(await attempt(served, watcher.password), 401)
  })
})
