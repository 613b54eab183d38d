import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog, Passwords } from '@palisade/platform'
import { onEveryStore, send } from '@palisade/platform/testing'
import {
  configuration,
  credentials,
  dayMs,
  refusalOf,
  serveAwareness,
  type TestService,
} from './test-service.ts'

const missing = refusalOf(401, 'NotAuthorized', 'An access token is required. Authenticate to get one.')
const invalid = refusalOf(
  401,
  'NotAuthorized',
  'The access token is not valid or has expired. Authenticate again.',
)
const elsewhere = refusalOf(
  401,
  'Not Authorized',
  'Requests must come from the same IP address that retrieved the access token.',
)
const ambiguous = refusalOf(400, 'BadRequest', 'The request carries more than one access token.')

onEveryStore('an access token', (newStore) => {
  let served: TestService
  let token: string
  let campaigns: string
  before(async () => {
    served = await serveAwareness(await newStore())
    token = await served.tokenFor(credentials)
    campaigns = `${served.baseUrl}/campaigns`
  })
  after(() => served.close())

  test('is needed by "every operation except authentication"', async () => {
    for (const path of ['/campaigns', '/campaigns/1', '/campaigns/0/7', '/campaigns/x', '/campaigns/1/x']) {
      for (const headers of [
        {},
        { access_token: '' },
        { authorization: 'Bearer' },
        { authorization: `Basic ${token}` },
      ]) {
        const reply = await send(`${served.baseUrl}${path}?access_token=`, { headers })
        assert.deepEqual([reply.status, reply.json], [401, missing], path)
        assert.equal(reply.headers['www-authenticate'], 'Bearer realm="awareness"')
      }
    }
  })

  test('that is unknown is refused, whatever it looks like', async () => {
    for (const guess of ['x', token.slice(1), `${token}x`, token.toLowerCase(), "' OR ''='", '%00', 'N/A']) {
      const { status, json, headers } = await served.get('/campaigns', guess)
      assert.deepEqual([status, json], [401, invalid], guess)
      assert.equal(headers['www-authenticate'], 'Bearer realm="awareness", error="invalid_token"')
      assert.equal((await send(`${campaigns}?access_token=${encodeURIComponent(guess)}`)).status, 401, guess)
    }
    assert.equal((await send(`${campaigns}?access_token=%00`)).status, 401)
  })

  test('may be given once only, or in several ways that agree (RFC 6750, section 2)', async () => {
    const other = await served.tokenFor(credentials)
    const differing: [query: string, headers: Record<string, string | string[]>][] = [
      [`?access_token=${token}&access_token=${other}`, {}],
      [`?access_token=${token}`, { access_token: other }],
      [`?access_token=${token}`, { authorization: `Bearer ${other}` }],
      ['', { access_token: token, authorization: `Bearer ${other}` }],
      ['', { access_token: [token, other] }],
      ['', { access_token: `${token}, ${token}` }],
      [`?access_token=${token}`, { access_token: 'x' }],
    ]
    for (const [query, headers] of differing) {
      const reply = await send(`${campaigns}${query}`, { headers })
      const expected = headers.access_token === `${token}, ${token}` ? [401, invalid] : [400, ambiguous]
      assert.deepEqual([reply.status, reply.json], expected, JSON.stringify([query, headers]))
    }
    const agreeing = { access_token: [token, token], authorization: `Bearer ${token}` }
    assert.equal((await send(`${campaigns}?access_token=${token}`, { headers: agreeing })).status, 200)
  })

  test('goes "as a query string parameter named access_token or as a request header named access_token"', async () => {
    assert.equal((await send(`${campaigns}?access_token=${token}`)).status, 200)
    for (const headers of [
      { access_token: token },
      { Access_Token: token },
      { authorization: `Bearer ${token}` },
      { authorization: `bearer  ${token}` },
      { authorization: 'Basic dXNlcjpwdw==', access_token: token },
    ]) {
      assert.equal((await send(campaigns, { headers })).status, 200, JSON.stringify(headers))
    }
  })

  test('"must come from the same IP the service that retrieved the token", otherwise 401 Not Authorized', async () => {
    for (const [owner, thief] of [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
    ] as const) {
      const bound = await served.tokenFor(credentials, owner)
      const { status, json, headers } = await served.get('/campaigns', bound, thief)
      assert.deepEqual([status, json], [401, elsewhere])
      assert.equal(headers['www-authenticate'], 'Bearer realm="awareness", error="invalid_token"')
      assert.equal((await served.get('/campaigns', bound, owner)).status, 200, 'the owner is not disturbed')
    }
  })

  test('believes no X-Forwarded-For of somebody who is no trusted proxy', async () => {
    const headers = { access_token: token, 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' }
    assert.equal((await send(campaigns, { headers, from: '127.0.0.2' })).status, 401)
    const spoofed = { ...headers, 'x-forwarded-for': '192.0.2.1' }
    assert.equal((await send(campaigns, { headers: spoofed, from: '127.0.0.1' })).status, 200)
  })

  test('is bound to the client behind a trusted proxy, however its address is spelt', async () => {
    const behind = await serveAwareness(await newStore(), { trustedProxies: ['127.0.0.2', '127.0.0.3'] })
    const through = async (proxy: string, client: string, bound: string) => {
      const headers = { access_token: bound, 'x-forwarded-for': client }
      return (await send(`${behind.baseUrl}/campaigns`, { headers, from: proxy })).status
    }
    const fetch = async (client: string, api_key = 'KEY-FOR-ALL') => {
      const { json } = await behind.authenticate(
        { ...credentials, api_key },
        { from: '127.0.0.2', headers: { 'content-type': 'application/json', 'x-forwarded-for': client } },
      )
      return json.data.access_token
    }
    const bound = await fetch('2001:db8::1')
    assert.equal(await through('127.0.0.3', '2001:DB8:0:0::1', bound), 200)
    assert.equal(await through('127.0.0.2', '2001:db8::2', bound), 401)
    assert.equal(await through('127.0.0.2', '2001:db8::1, 192.0.2.9', bound), 401)
    assert.equal(await through('127.0.0.1', '2001:db8::1', bound), 401)
    const mapped = await fetch('::ffff:192.0.2.7')
    assert.equal(await through('127.0.0.2', '192.0.2.7', mapped), 200)
    assert.ok(await fetch('192.0.2.7', 'KEY-FOR-SOME'), 'a key for a network is accepted from there')
    assert.ok(await fetch('2001:db8:ffff::7', 'KEY-FOR-SOME'))
    assert.equal(await fetch('198.51.100.7', 'KEY-FOR-SOME'), undefined)
    const withPort = await fetch('192.0.2.7:1001', 'KEY-FOR-SOME')
    assert.equal(await through('127.0.0.2', '192.0.2.7:1002', withPort), 200)
    assert.equal(await through('127.0.0.3', '192.0.2.7', withPort), 200)
    assert.equal(await through('127.0.0.2', '192.0.2.8:1001', withPort), 401)
    await behind.close()
  })

  test('that a clock fetched which was ahead is refused once the clock is right', async () => {
    const wrong = await serveAwareness(await newStore())
    wrong.clock.advance(365 * dayMs)
    const late = await wrong.tokenFor(credentials)
    wrong.clock.advance(-60_000)
    assert.equal(
      (await wrong.get('/campaigns', late)).status,
      200,
      'clocks of servers may differ by a minute',
    )
    wrong.clock.advance(-1)
    assert.deepEqual((await wrong.get('/campaigns', late)).json, invalid)
    await wrong.close()
  })

  test('"is valid for 24 hours at most", and then authenticate is called again', async () => {
    const fresh = await served.tokenFor(credentials)
    served.clock.advance(dayMs - 1)
    assert.equal((await served.get('/campaigns', fresh)).status, 200)
    served.clock.advance(1)
    const { status, json } = await served.get('/campaigns', fresh)
    assert.deepEqual([status, json], [401, invalid])
    token = await served.tokenFor(credentials)
    assert.equal((await served.get('/campaigns', token)).status, 200)
  })

  test('survives a restart, and ends with its password', async () => {
    const store = await newStore()
    const { users } = configuration
    const clock = served.clock
    const first = await serveAwareness(store, { clock })
    const token = await first.tokenFor(credentials)
    const others = await first.tokenFor({
      ...credentials,
      bof_ticket_user: 'powerless@example.org',
      bof_ticket_pw: 'p0werless',
    })
    await first.close()

    const second = await serveAwareness(store, { clock })
    assert.equal((await second.get('/campaigns', token)).status, 200)
    await second.close()

    const changed = users.map((user) =>
      user.username === 'api@example.org' ? { ...user, password: 'changed' } : user,
    )
    const third = await serveAwareness(store, { clock, configuration: { users: changed } })
    assert.deepEqual((await third.get('/campaigns', token)).json, invalid)
    assert.equal((await third.get('/campaigns', others)).status, 403, 'that of another user is still known')
    assert.equal((await third.authenticate(credentials)).status, 401)
    assert.ok(await third.tokenFor({ ...credentials, bof_ticket_pw: 'changed' }))
    await third.close()
  })

  test('is not given for a password that another server changes while it is checked', async () => {
    const store = await newStore()
    const users = configuration.users.map((user) => ({ ...user, password: 'changed' }))
    let isChecked = false
    class Slow extends Passwords {
      override async matches(password: string, stored: string | undefined) {
        const matched = await super.matches(password, stored)
        if (isChecked) await (await serveAwareness(store, { configuration: { users } })).close()
        return matched
      }
    }
    const slow = await serveAwareness(store, { passwords: new Slow() })
    isChecked = true
    const { status, json } = await slow.authenticate(credentials)
    assert.deepEqual([status, json.statusMessage], [401, 'NotAuthenticated'])
    assert.ok(await slow.tokenFor({ ...credentials, bof_ticket_pw: 'changed' }))
    await slow.close()
  })

  test('never reaches the log, even when the store is gone', async () => {
    const lines: string[] = []
    const log = createLog('trace', { write: (line) => void lines.push(line) })
    const store = await newStore()
    const logging = await serveAwareness(store, { log })
    const secret = await logging.tokenFor(credentials)
    const url = `${logging.baseUrl}/campaigns?access_token=${secret}`
    for (const path of [url, `${url}&access_token=x`, url.replace('campaigns', 'nothing'), `${url}&x=%zz`]) {
      await send(path)
      await send(path, { method: 'DELETE' })
    }
    await store.tables().schema.dropTable('awareness_token').execute()
    const failed = await send(url)
    assert.deepEqual(
      failed.json,
      refusalOf(500, 'InternalServerError', 'An internal error occurred. It has been logged.'),
    )
    await logging.authenticate(credentials)
    await logging.close()
    assert.ok(lines.some((line) => line.includes('a request failed')))
    for (const text of [secret, 'c0rrect', 'KEY-FOR-ALL']) assert.ok(!lines.join('').includes(text), text)
  })
})
