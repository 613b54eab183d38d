import assert from 'node:assert/strict'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { onEveryStore, type ServedService, send } from '@palisade/platform/testing'
import { basic, logIn } from './testing/client.ts'
import { administrator, serveFirewall } from './testing/firewall.ts'

/** Each title is a statement of the specification, "Firewall Management REST API: Access, Login and Token Use". */
onEveryStore('the specification', (newStore) => {
  async function serve(t: test.TestContext): Promise<ServedService> {
    const served = await serveFirewall({ store: await newStore() })
    t.after(() => served.close())
    return served
  }

  test('clients create, retrieve, modify and delete configuration objects through URLs under one API root', async (t) => {
    const { baseUrl } = await serve(t)
    const { call } = await logIn(baseUrl)
    assert.equal((await call('POST', 'services', { name: 'shop' })).status, 201)
    assert.equal((await call('GET', 'services/shop')).json.data.shop.port, '80')
    assert.equal((await call('PUT', 'services/shop', { port: 8080 })).status, 200)
    assert.equal((await call('GET', 'services/shop')).json.data.shop.port, '8080')
    assert.equal((await call('DELETE', 'services/shop')).status, 200)
    assert.equal((await call('GET', 'services/shop')).status, 404)
  })

  test('HTTP and HTTPS are both supported; the default certificate is self-signed', async (t) => {
    const { baseUrl, secureBaseUrl, certificate } = await serve(t)
    const { token } = await logIn(baseUrl)
    const url = `${secureBaseUrl}/restapi/v3.2/services`
    const read = (options: https.RequestOptions) =>
      new Promise<string>((resolve, reject) => {
        https
          .get(url, { ...options, agent: false, headers: { ...basic(`${token}:`) } }, (reply) =>
            resolve(text(reply)),
          )
          .on('error', reject)
      })
    await assert.rejects(read({}), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    assert.equal(JSON.parse(await read({ rejectUnauthorized: false })).object, 'Service')
    assert.equal(JSON.parse(await read({ ca: certificate })).object, 'Service')
  })

  test('token: string, returned by login; in the examples it ends with an escaped line-feed sequence, which is part of the token text', async (t) => {
    const { baseUrl } = await serve(t)
    const { username, password } = administrator
    const login = `${baseUrl}/restapi/v3.2/login`
    const { status, text: body, json } = await send(login, { method: 'POST', body: { username, password } })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(json), ['token'])
    assert.match(body, /^\{"token":"[A-Za-z0-9+/]{76}\\n[A-Za-z0-9+/]+=*\\n"\}$/)
    assert.equal(body.length, 124, '12 characters around the 112 of an escaped token for a user called admin')
  })

  test('the token embeds the username, the password and a timestamp', async (t) => {
    const { baseUrl } = await serve(t)
    const decoded = async () => {
      const { token } = await logIn(baseUrl)
      return JSON.parse(Buffer.from(token, 'base64').toString())
    }
    const [one, other] = [await decoded(), await decoded()]
    assert.deepEqual(Object.keys(one).sort(), ['et', 'password', 'user'])
    assert.equal(one.user, administrator.username)
    assert.match(one.et, /^\d{10}$/)
    assert.match(one.password, /^[0-9a-f]{32}$/)
    assert.notEqual(one.password, other.password, 'it cannot be computed back, so it need not repeat')
  })

  test('later requests, including logout, send the token as the user part of HTTP basic credentials, followed by a colon, and the password part is empty; logout deletes the token', async (t) => {
    const { baseUrl } = await serve(t)
    const { token } = await logIn(baseUrl)
    const headers = { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }
    assert.equal((await send(`${baseUrl}/restapi/v3.2/services`, { headers })).status, 200)
    const logout = await send(`${baseUrl}/restapi/v3.2/logout`, { method: 'DELETE', headers })
    assert.equal(logout.status, 202)
    assert.deepEqual(logout.json, { msg: 'The token was deleted.' })
    assert.equal((await send(`${baseUrl}/restapi/v3.2/services`, { headers })).status, 401)
  })

  test('GET services: data is keyed by service name, each value an object that describes one service; token is also present at the end of the response', async (t) => {
    const { baseUrl } = await serve(t)
    const { call, token } = await logIn(baseUrl)
    for (const name of ['shop', 'blog']) await call('POST', 'services', { name })
    const { status, json, text: body } = await call('GET', 'services')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(json.data).sort(), ['blog', 'shop'])
    for (const name of ['shop', 'blog']) assert.equal(json.data[name].name, name)
    assert.equal(Object.keys(json).at(-1), 'token')
    assert.ok(body.endsWith(`\\n"}`))
    assert.notEqual(json.token, token)
  })

  test('inside one service: name; object, whose value is Service; Mask Sensitive Data with sensitive-parameter-names, a string that may be empty; Slow Client Attack Prevention with seven strings, of which status is On or Off; URL Encryption with status, On or Off', async (t) => {
    const { baseUrl } = await serve(t)
    const { call } = await logIn(baseUrl)
    await call('POST', 'services', { name: 'shop' })
    const { shop } = (await call('GET', 'services')).json.data
    assert.equal(shop.name, 'shop')
    assert.equal(shop.object, 'Service')
    assert.deepEqual(shop['Mask Sensitive Data'], { 'sensitive-parameter-names': '' })
    assert.deepEqual(shop['Slow Client Attack Prevention'], {
      'incremental-request-timeout': '30',
      'exception-clients': '',
      status: 'Off',
      'max-request-timeout': '600',
      'data-transfer-rate': '10',
      'incremental-response-timeout': '30',
      'max-response-timeout': '600',
    })
    assert.deepEqual(shop['URL Encryption'], { status: 'Off' })
  })

  test('nested objects are addressed by extending the path: vsites/{vsite_id}/service_groups/{service_group_id}', async (t) => {
    const { baseUrl } = await serve(t)
    const { call } = await logIn(baseUrl)
    const { json } = await call('GET', 'vsites/default/service_groups/default')
    assert.deepEqual(json.data, { default: { object: 'Group', 'service-group': 'default' } })
  })

  test('all POST and PUT requests carry the header Content-Type with the value application/json', async (t) => {
    const { baseUrl } = await serve(t)
    const { token } = await logIn(baseUrl)
    const url = `${baseUrl}/restapi/v3.2/services`
    const sent = { method: 'POST', body: '{"name":"shop"}' }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined]) {
      const headers = { ...basic(`${token}:`), ...(type === undefined ? {} : { 'content-type': type }) }
      assert.equal((await send(url, { ...sent, headers })).status, 415)
    }
    const headers = { ...basic(`${token}:`), 'content-type': 'application/json' }
    assert.equal((await send(url, { ...sent, headers })).status, 201)
  })

  test('versions v3, v3.1, v3.2, in the path segment after restapi', async (t) => {
    const { baseUrl } = await serve(t)
    const { username, password } = administrator
    const versions = ['v3', 'v3.1', 'v3.2']
    for (const version of versions) {
      const login = `${baseUrl}/restapi/${version}/login`
      const { json } = await send(login, { method: 'POST', body: { username, password } })
      for (const other of versions) {
        const headers = basic(`${json.token}:`)
        const { status } = await send(`${baseUrl}/restapi/${other}/services`, { headers })
        assert.equal(status, 200, `a token of ${version} at ${other}`)
      }
    }
    assert.equal((await send(`${baseUrl}/restapi/v4/services`)).status, 404)
  })

  test('a client obtains a token with the username and password of an administrator or of a role-based administrator with restricted permissions', async (t) => {
    const guest = { username: 'guest', password: 'reads all day', role: 'guest' }
    const served = await serveFirewall({ store: await newStore(), administrators: [administrator, guest] })
    t.after(() => served.close())
    const { call } = await logIn(served.baseUrl, guest)
    assert.equal((await call('GET', 'services')).status, 200)
    const refused = await call('POST', 'services', { name: 'shop' })
    assert.equal(refused.status, 403)
    assert.match(refused.json.msg, /role does not allow you to change/)
  })
})

onEveryStore('the system object', (newStore) => {
  test('says which software it is, and keeps its serial number', async (t) => {
    const store = await newStore()
    const states = async () => {
      const served = await serveFirewall({ store })
      t.after(() => served.close())
      const { get, call } = await logIn(served.baseUrl)
      assert.equal((await call('PUT', 'system', { serial: '1' })).status, 406)
      const { data } = (await get('system?groups=System&parameters=firmware-version,serial,model')).json
      return data.System
    }
    const first = await states()
    assert.match(first['firmware-version'], /^\d+\.\d+\.\d+/)
    assert.match(first.serial, /^\d{7}$/)
    assert.equal(first.model, 'Palisade')
    assert.deepEqual(await states(), first)
  })
})
