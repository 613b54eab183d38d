import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore, send } from '@palisade/platform/testing'
import type { AwarenessTables } from './tables.ts'
import { credentials, refusalOf, serveAwareness, type TestService } from './test-service.ts'

const badApiKey = refusalOf(401, 'NotAuthorized', 'Authentication failure: Bad API Key.')
const badCredentials = refusalOf(
  401,
  'NotAuthenticated',
  'Authentication failure: Please check the credentials and try again.',
)

onEveryStore('POST {base_url}/authenticate', (newStore) => {
  let store: Store
  let served: TestService
  before(async () => {
    store = await newStore()
    served = await serveAwareness(store)
  })
  after(() => served.close())

  /** Lets the failures of one test not count in the next. */
  const forgetFailures = () => served.clock.advance(15 * 60 * 1000)

  test('"Bad API key: 401, NotAuthorized, Authentication failure: Bad API Key."', async () => {
    for (const api_key of ['', 'key-for-all', 'KEY-FOR-ALL ', 'KEY-FOR-AL', 'KEY-FOR-ALL\0', "' OR 1=1 --"]) {
      const { status, json, headers } = await served.authenticate({ ...credentials, api_key })
      assert.equal(status, 401, api_key)
      assert.deepEqual(json, badApiKey, api_key)
      assert.equal(headers['www-authenticate'], 'Bearer realm="awareness"')
    }
    forgetFailures()
  })

  test('"Credentials fail: 401, NotAuthenticated": check the credentials and try again', async () => {
    for (const wrong of [
      { bof_ticket_pw: 'wrong' },
      { bof_ticket_pw: '' },
      { bof_ticket_pw: 'C0rrect' },
      { bof_ticket_pw: 'p0werless' },
      { bof_ticket_user: 'nobody@example.org' },
      { bof_ticket_user: 'API@example.org' },
      { bof_ticket_user: '' },
      { bof_ticket_user: 'api@example.org\0' },
      { bof_ticket_user: '\ud800' },
      { bof_ticket_user: "' OR ''='" },
      { bof_ticket_user: '__proto__' },
    ]) {
      const { status, json, headers } = await served.authenticate({ ...credentials, ...wrong })
      assert.equal(status, 401, JSON.stringify(wrong))
      assert.deepEqual(json, badCredentials, JSON.stringify(wrong))
      assert.equal(headers['www-authenticate'], 'Bearer realm="awareness"')
    }
    forgetFailures()
  })

  test('checks the key first, then the credentials', async () => {
    const { json } = await served.authenticate({ ...credentials, api_key: 'wrong', bof_ticket_pw: 'wrong' })
    assert.deepEqual(json, badApiKey)
  })

  test('refuses a key that is bound to another user, or comes from elsewhere', async () => {
    const other = { ...credentials, bof_ticket_user: 'powerless@example.org', bof_ticket_pw: 'p0werless' }
    assert.deepEqual((await served.authenticate({ ...other, api_key: 'KEY-FOR-ONE' })).json, badApiKey)
    assert.equal((await served.authenticate({ ...credentials, api_key: 'KEY-FOR-ONE' })).status, 200)
    const forSome = { ...credentials, api_key: 'KEY-FOR-SOME' }
    assert.deepEqual((await served.authenticate(forSome, { from: '127.0.0.1' })).json, badApiKey)
    assert.equal((await served.authenticate(forSome, { from: '127.0.0.2' })).status, 200)
  })

  test('refuses single sign-on, for which no configuration exists, after the key', async () => {
    for (const sso of [{ sso: 'oauth2' }, { sso: 'oauth2', bof_sso_config_id: 1 }]) {
      const { status, json } = await served.authenticate({ ...credentials, ...sso })
      assert.deepEqual([status, json], [401, badCredentials])
      const wrongKey = await served.authenticate({ ...credentials, ...sso, api_key: 'wrong' })
      assert.deepEqual(wrongKey.json, badApiKey)
    }
    forgetFailures()
  })

  test('refuses a body that is not as documented, naming the parameter', async () => {
    const { bof_ticket_user, bof_ticket_pw, api_key } = credentials
    const cases: [body: unknown, reason: string][] = [
      [undefined, 'The body must be object.'],
      ['null', 'The body must be object.'],
      ['[]', 'The body must be object.'],
      ['"text"', 'The body must be object.'],
      ['{', 'The body is not valid JSON (line 1 column 2).'],
      ['{"api_key":s3cret}', 'The body is not valid JSON.'],
      ['{"__proto__":{}}', 'The body is not valid JSON.'],
      [Buffer.from([0x7b, 0xff, 0x7d]), 'The body is not valid UTF-8.'],
      [{}, 'The member bof_ticket_user is missing.'],
      [{ bof_ticket_pw, api_key }, 'The member bof_ticket_user is missing.'],
      [{ bof_ticket_user, api_key }, 'The member bof_ticket_pw is missing.'],
      [{ bof_ticket_user, bof_ticket_pw }, 'The member api_key is missing.'],
      [{ ...credentials, bof_ticket_user: 1 }, 'The member bof_ticket_user must be string.'],
      [{ ...credentials, bof_ticket_pw: null }, 'The member bof_ticket_pw must be string.'],
      [{ ...credentials, api_key: ['KEY-FOR-ALL'] }, 'The member api_key must be string.'],
      [{ ...credentials, api_key: true }, 'The member api_key must be string.'],
      [{ ...credentials, username: 'x' }, 'The member username is not known here.'],
      [{ ...credentials, sso: 'saml' }, 'The member sso must be oauth2.'],
      [{ ...credentials, sso: 'OAuth2' }, 'The member sso must be oauth2.'],
      [{ ...credentials, sso: '' }, 'The member sso must be oauth2.'],
      [{ ...credentials, sso: true }, 'The member sso must be oauth2.'],
      [{ ...credentials, sso: null }, 'The member sso must be oauth2.'],
      [{ ...credentials, bof_sso_config_id: 1 }, 'bof_sso_config_id may be given only when sso is set.'],
      [
        { ...credentials, sso: 'oauth2', bof_sso_config_id: '1' },
        'The member bof_sso_config_id must be integer.',
      ],
      [
        { ...credentials, sso: 'oauth2', bof_sso_config_id: 1.5 },
        'The member bof_sso_config_id must be integer.',
      ],
    ]
    let ran = 0
    const headers = { 'content-type': 'application/json' }
    for (const [body, reason] of cases) {
      const { status, json } = await served.authenticate(body, { headers })
      assert.deepEqual([status, json], [400, refusalOf(400, 'BadRequest', reason)], JSON.stringify(body))
      ran++
    }
    assert.equal(ran, cases.length)
  })

  test('refuses what is not JSON, what is too long, and other methods, all in the envelope', async () => {
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const unsupported = await served.authenticate(new URLSearchParams(credentials).toString(), form)
    assert.deepEqual(
      [unsupported.status, unsupported.json],
      [
        415,
        refusalOf(
          415,
          'UnsupportedMediaType',
          'The body must be JSON, sent with Content-Type: application/json.',
        ),
      ],
    )
    for (const length of [16 * 1024, 10_000_000]) {
      const large = await served.authenticate({ ...credentials, bof_ticket_pw: 'x'.repeat(length) })
      assert.deepEqual([large.status, large.json.statusMessage], [413, 'ContentTooLarge'])
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD', 'PATCH']) {
      const { status, headers, text } = await send(`${served.baseUrl}/authenticate`, { method })
      assert.deepEqual([status, headers.allow], [405, 'POST'], method)
      if (method === 'HEAD') continue
      assert.deepEqual(
        JSON.parse(text),
        refusalOf(405, 'MethodNotAllowed', 'This address answers to POST only.'),
      )
    }
    const unknown = await send(`${served.baseUrl}/nothing`)
    assert.deepEqual(unknown.json, refusalOf(404, 'NotFound', 'Nothing is found at this address.'))
  })

  test('answers success with the envelope, member for member', async () => {
    const fresh = await serveAwareness(await newStore())
    const { status, json, headers, text } = await fresh.authenticate(credentials)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['cache-control'], 'private, no-store')
    const { access_token } = json.data
    assert.match(access_token, /^[A-Za-z0-9_-]{43}$/)
    assert.equal(
      text,
      JSON.stringify({
        status: 200,
        statusMessage: 'OK',
        statusDetails: { Reason: 'Authentication created.' },
        entity: 'accesstoken',
        jobid: 0,
        notifications: {
          'API Token Expiration Date': 'N/A',
          'Maximum API calls per hour': 1000,
          'Your API calls in the last hour': 1,
        },
        data: { access_token },
      }),
    )
    await fresh.close()
  })

  test('"No other permission is required" than user, password and key', async () => {
    const unprivileged = {
      ...credentials,
      bof_ticket_user: 'powerless@example.org',
      bof_ticket_pw: 'p0werless',
    }
    assert.equal((await served.authenticate(unprivileged)).status, 200)
  })

  test('gives each authentication its own token, and the ones before stay valid', async () => {
    const tokens = await Promise.all([1, 2, 3, 4].map(() => served.tokenFor(credentials)))
    assert.equal(new Set(tokens).size, 4)
    for (const token of tokens) assert.equal((await served.get('/campaigns', token)).status, 200)
  })

  test('stores no password, no key and no token', async () => {
    const token = await served.tokenFor(credentials)
    const tables = store.tables<AwarenessTables>()
    const stored = JSON.stringify([
      await tables.selectFrom('awareness_user').selectAll().execute(),
      await tables.selectFrom('awareness_api_key').selectAll().execute(),
      await tables.selectFrom('awareness_token').selectAll().execute(),
    ])
    for (const secret of [token, 'c0rrect', 'KEY-FOR-ALL']) assert.ok(!stored.includes(secret), secret)
  })
})
