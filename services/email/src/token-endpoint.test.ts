import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { failuresMax, failureWindowMs } from '@palisade/platform'
import { onEveryStore, send } from '@palisade/platform/testing'
import { requestToken, serveEmail, type TestService, tokenFor } from './testing/email-service.ts'

const grant = { grant_type: 'client_credentials' }
const reader = { ...grant, client_id: 'reader', client_secret: 'r3ad' }
const notAForm = {
  error: 'invalid_request',
  error_description: 'The body must be a form, sent with Content-Type: application/x-www-form-urlencoded.',
}
const tooManyFailures = {
  error: 'temporarily_unavailable',
  error_description: 'Too many failed authentications from this address. Wait and try again.',
}
const basic = (credentials: string) => ({
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
})

onEveryStore('the token endpoint', (newStore) => {
  let served: TestService
  before(async () => {
    served = await serveEmail(await newStore())
  })
  after(() => served.close())

  test('refuses requests that are not right, each with its code (RFC 6749, section 5.2)', async () => {
    const wrongBasic = basic('reader:wrong')
    const cases: [
      what: string,
      form: string | Record<string, string>,
      headers: Record<string, string>,
      status: number,
      error: string,
    ][] = [
      ['nothing at all', '', {}, 400, 'invalid_request'],
      ['no grant_type', { client_id: 'reader', client_secret: 'r3ad' }, {}, 400, 'invalid_request'],
      ['an empty grant_type', { ...reader, grant_type: '' }, {}, 400, 'invalid_request'],
      ['a password grant', { ...reader, grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
      [
        'a grant in capitals',
        { ...reader, grant_type: 'CLIENT_CREDENTIALS' },
        {},
        400,
        'unsupported_grant_type',
      ],
      [
        'a grant given twice',
        `${new URLSearchParams(reader)}&grant_type=client_credentials`,
        {},
        400,
        'invalid_request',
      ],
      ['a scope given twice', `${new URLSearchParams(reader)}&scope=a&scope=a`, {}, 400, 'invalid_request'],
      ['no client', grant, {}, 401, 'invalid_client'],
      ['no secret', { ...grant, client_id: 'reader' }, {}, 401, 'invalid_client'],
      ['an empty secret', { ...reader, client_secret: '' }, {}, 401, 'invalid_client'],
      ['a wrong secret', { ...reader, client_secret: 'R3AD' }, {}, 401, 'invalid_client'],
      ['an unknown client', { ...reader, client_id: 'nobody' }, {}, 401, 'invalid_client'],
      ['a client with NUL in its name', { ...reader, client_id: 'reader\0' }, {}, 401, 'invalid_client'],
      ['a wrong secret by Basic', grant, wrongBasic, 401, 'invalid_client'],
      ['Basic without a colon', grant, basic('reader'), 401, 'invalid_client'],
      ['Basic that is not base64', grant, { authorization: 'Basic r3ad!' }, 401, 'invalid_client'],
      ['another scheme', grant, { authorization: 'Bearer r3ad' }, 401, 'invalid_client'],
      ['both ways at once', reader, basic('reader:r3ad'), 400, 'invalid_request'],
      [
        'a client_id beside that of another by Basic',
        { ...grant, client_id: 'both' },
        basic('reader:r3ad'),
        400,
        'invalid_request',
      ],
      [
        'a scope that the client may not have',
        { ...reader, scope: 'forensics:account:write' },
        {},
        400,
        'invalid_scope',
      ],
      [
        'one such scope among others',
        { ...reader, scope: 'ess:account:read admin' },
        {},
        400,
        'invalid_scope',
      ],
    ]
    let ran = 0
    for (const [what, form, headers, status, error] of cases) {
      const reply = await requestToken(served, form, headers)
      assert.deepEqual([reply.status, reply.json.error], [status, error], what)
      assert.deepEqual(Object.keys(reply.json), ['error', 'error_description'], what)
      assert.match(reply.headers['content-type'] ?? '', /^application\/json/, what)
      assert.equal(reply.headers['cache-control'], 'no-store', what)
      assert.equal(
        reply.headers['www-authenticate'],
        status === 401 ? 'Basic realm="oauth2"' : undefined,
        what,
      )
      assert.doesNotMatch(reply.text, /r3ad/i, what)
      ran++
    }
    assert.equal(ran, cases.length)
  })

  test('answers to POST and to forms only', async () => {
    const url = `${served.baseUrl}/oauth2/token`
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, headers } = await send(`${url}?${new URLSearchParams(reader)}`, { method })
      assert.deepEqual([status, headers.allow], [405, 'POST'], method)
    }
    const inJson = await send(url, { method: 'POST', body: reader })
    assert.deepEqual([inJson.status, inJson.json], [415, notAForm])
    assert.match(inJson.headers['content-type'] ?? '', /^application\/json/)
    assert.deepEqual([inJson.headers['cache-control'], inJson.headers.pragma], ['no-store', 'no-cache'])
    const inQuery = await send(`${url}?${new URLSearchParams(reader)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.deepEqual([inQuery.status, inQuery.json.error], [400, 'invalid_request'])
    for (const length of [16 * 1024, 2_000_000]) {
      const large = await requestToken(served, { ...reader, state: 'x'.repeat(length) })
      assert.deepEqual([large.status, large.json.error], [413, 'invalid_request'])
    }
  })

  test('refuses an address that has failed thirty times, whatever it sends, and no other one', async () => {
    const guessed = await serveEmail(await newStore())
    const guess = (form: Record<string, string>, headers?: Record<string, string>) =>
      requestToken(guessed, { ...grant, ...form }, headers)
    const guesses = [
      () => guess({ client_id: 'reader', client_secret: 'R3AD' }),
      () => guess({ client_id: 'nobody', client_secret: 'r3ad' }),
      () => guess({}, basic('reader:%41wrong')),
    ]
    // Each of a crowd counts, and what is no guess does not.
    const crowd = Array.from({ length: 2 * failuresMax }, (_, time) => guesses[time % guesses.length]?.())
    await guess({}, {})
    await guess({ client_id: 'reader', client_secret: 'r3ad', scope: 'admin' })
    const statuses = (await Promise.all(crowd)).map((reply) => reply?.status)
    assert.equal(statuses.filter((status) => status === 401).length, failuresMax)
    assert.equal(statuses.filter((status) => status === 429).length, failuresMax)

    const { status, json, headers } = await requestToken(guessed, reader)
    assert.deepEqual([status, headers['retry-after'], json], [429, '900', tooManyFailures])
    assert.equal(headers['cache-control'], 'no-store')
    const elsewhere = await requestToken(guessed, reader, {}, '127.0.0.2')
    assert.equal(elsewhere.status, 200)
    const listed = await send(`${guessed.baseUrl}/beta/accounts/5584599/ess/domains`, {
      headers: { authorization: `Bearer ${elsewhere.json.access_token}` },
    })
    assert.equal(listed.status, 200, 'tokens go on working at the address')
    guessed.clock.advance(failureWindowMs)
    assert.equal((await requestToken(guessed, reader)).status, 200)
    await guessed.close()
  })

  test('issues a bearer token for an hour, which no cache may keep (RFC 6749, section 5.1)', async () => {
    const { status, json, headers } = await requestToken(served, reader)
    assert.equal(status, 200)
    const { access_token, ...rest } = json
    assert.match(access_token, /^[\w-]{43}$/)
    assert.deepEqual(rest, { expires_in: 3600, token_type: 'Bearer', scope: 'ess:account:read' })
    assert.deepEqual([headers['cache-control'], headers.pragma], ['no-store', 'no-cache'])
  })

  test('reads credentials from the form and from Basic, encoded or not', async () => {
    const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
    const [id, secret] = ['od:d +%', 's+c/r %3A'] as const
    for (const headers of [
      basic(`${encoded(id)}:${encoded(secret)}`),
      basic(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`),
    ]) {
      assert.equal((await requestToken(served, grant, headers)).status, 200, headers.authorization)
    }
    for (const form of ['a+b/c=', encoded('a+b/c=')]) {
      assert.equal((await requestToken(served, grant, basic(`plus:${form}`))).status, 200, form)
    }
    assert.equal((await requestToken(served, { ...grant, client_id: id, client_secret: secret })).status, 200)
    assert.equal((await requestToken(served, grant, basic('reader:r3ad'))).status, 200)
    assert.equal(
      (await requestToken(served, { ...grant, client_id: 'reader' }, basic('reader:r3ad'))).status,
      200,
    )
    const empty = { ...grant, client_id: '', client_secret: '', scope: '' }
    assert.equal((await requestToken(served, empty, basic('reader:r3ad'))).status, 200)
    const charset = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }
    assert.equal((await requestToken(served, reader, charset)).status, 200)
  })

  test('gives the scopes that are asked for, once each, and all when none is', async () => {
    const odd = { ...grant, client_id: 'od:d +%', client_secret: 's+c/r %3A' }
    const [read, write] = ['ess:account:read', 'ess:account:write']
    const cases = [
      ['', `${read} ${write}`],
      [write, write],
      [`${write} ${read}`, `${write} ${read}`],
      [` ${write}  ${write} `, write],
      [`${write}+${read}`, `${write} ${read}`],
    ]
    for (const [scope = '', expected] of cases) {
      assert.equal((await requestToken(served, { ...odd, scope })).json.scope, expected)
    }
  })

  test('ends a token after one hour', async () => {
    const token = await tokenFor(served, 'reader', 'r3ad')
    const list = async () => {
      const headers = { authorization: `Bearer ${token}` }
      return (await send(`${served.baseUrl}/beta/accounts/5584599/ess/domains`, { headers })).status
    }
    served.clock.advance(3_599_999)
    assert.equal(await list(), 200)
    served.clock.advance(1)
    assert.equal(await list(), 401)
  })
})
