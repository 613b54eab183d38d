import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ReceivedReply, send } from '@palisade/platform/testing'
import { URI } from 'otpauth'
import { cookieOf, serveAdministration, type TestAdministration, type TestSession } from '../test-service.ts'
import { type Deviation, TestAuthenticator } from '../testing/authenticator.ts'

const publicUrl = 'https://palisade.example.org'
const password = 'correct horse battery'
const anyState = { 'if-match': '*' }

onEveryStore('passkeys', (newStore) => {
  let served: TestAdministration
  let owner: TestSession
  before(async () => {
    served = await serveAdministration(await newStore(), { configuration: { publicUrl } })
    owner = await served.logIn(served.owner.username, served.owner.password)
  })
  after(() => served.close())

  async function addOperator(username: string): Promise<TestSession> {
    const body = { username, password, grants: [] }
    assert.equal((await served.as(owner, 'POST', '/operators', { body })).status, 201)
    return served.logIn(username, password)
  }

  const begin = (session: TestSession, username: string, currentPassword = password) =>
    served.as(session, 'POST', `/operators/${username}/passkey-options`, { body: { currentPassword } })

  const register = (session: TestSession, username: string, body: object) =>
    served.as(session, 'POST', `/operators/${username}/passkey-register`, {
      body: { name: 'security key', ...body },
    })

  /** Gives an operator a passkey. */
  async function enrol(session: TestSession, username: string): Promise<TestAuthenticator> {
    const authenticator = new TestAuthenticator(publicUrl)
    const { json, text } = await begin(session, username)
    assert.ok(json.options, text)
    const registered = await register(session, username, {
      ticket: json.ticket,
      credential: authenticator.create(json.options),
    })
    assert.equal(registered.status, 200, registered.text)
    return authenticator
  }

  /** Begins to log in; what comes is the options and the cookie of the attempt. */
  async function beginLogin(body: object): Promise<{ options: { challenge: string }; cookie: string }> {
    const reply = await send(`${served.baseUrl}/session/passkey-options`, { method: 'POST', body })
    assert.equal(reply.status, 200, reply.text)
    return { options: reply.json, cookie: cookieOf(reply) }
  }

  const finishLogin = (cookie: string, credential: object): Promise<ReceivedReply> =>
    send(`${served.baseUrl}/session/passkey`, { method: 'POST', headers: { cookie }, body: { credential } })

  /** Logs in after the password, or with the passkey alone where there is no name. */
  async function logIn(authenticator: TestAuthenticator, username?: string, deviation: Deviation = {}) {
    const { options, cookie } = await beginLogin(username === undefined ? {} : { username, password })
    return finishLogin(cookie, authenticator.get(options, deviation))
  }

  const passwordAlone = (username: string, more: object = {}) =>
    send(`${served.baseUrl}/session`, { method: 'POST', body: { username, password, ...more } })

  test('a passkey is the second factor from when it is registered: the password alone opens nothing', async () => {
    const session = await addOperator('ada')
    const authenticator = await enrol(session, 'ada')
    const { json } = await served.as(owner, 'GET', '/operators/ada')
    assert.deepEqual([json.secondFactor, json.passkeys], ['passkey', 1])
    for (const more of [{}, { code: '123456' }]) {
      const refused = await passwordAlone('ada', more)
      assert.deepEqual([refused.status, refused.json.parameter], [401, 'passkey'])
      assert.equal(refused.headers['set-cookie'], undefined)
    }
    const { options } = await beginLogin({ username: 'ada', password })
    assert.deepEqual(Reflect.get(options, 'allowCredentials'), [
      { id: authenticator.id, type: 'public-key', transports: ['usb'] },
    ])
    const reply = await logIn(authenticator, 'ada', { isUnverified: true, userHandle: undefined })
    assert.equal(reply.status, 201, reply.text)
    assert.equal(reply.json.username, 'ada')
    const cookie = /__Host-palisade=[\w-]+/.exec(reply.headers['set-cookie']?.join() ?? '')?.[0] ?? ''
    assert.equal((await send(`${served.baseUrl}/session`, { headers: { cookie } })).json.username, 'ada')
    const { json: audit } = await served.as(owner, 'GET', '/audit?actor=ada&action=logIn')
    assert.deepEqual(
      audit.items.map(({ after: how }: { after: unknown }) => JSON.stringify(how)).sort(),
      ['null', '{"passkey":"security key","password":true}'].sort(),
    )
    const wrong = { username: 'ada', password: 'another password' }
    assert.equal(
      (await send(`${served.baseUrl}/session/passkey-options`, { method: 'POST', body: wrong })).status,
      401,
    )
  })

  test('a passkey alone is enough where it has verified its user, and says whose it is', async () => {
    const authenticator = await enrol(await addOperator('alone'), 'alone')
    const reply = await logIn(authenticator)
    assert.deepEqual([reply.status, reply.json.username], [201, 'alone'])
    assert.equal((await logIn(authenticator, undefined, { isUnverified: true })).status, 401)
    assert.equal((await logIn(authenticator, undefined, { userHandle: undefined })).status, 401)
    const handle = Buffer.from('somebody else').toString('base64url')
    assert.equal((await logIn(authenticator, undefined, { userHandle: handle })).status, 401)
    served.clock.advance(20 * 60_000)
  })

  test('an assertion of another site, challenge, kind or count is refused, and so is one without a touch', async () => {
    const authenticator = await enrol(await addOperator('strict'), 'strict')
    assert.equal((await logIn(authenticator, 'strict', { counter: 7 })).status, 201)
    const deviations: readonly Deviation[] = [
      { origin: 'https://evil.example', counter: 8 },
      { origin: 'http://palisade.example.org', counter: 8 },
      { origin: `${publicUrl}:8444`, counter: 8 },
      { rpId: 'evil.example', counter: 8 },
      { rpId: 'example.org', counter: 8 },
      { challenge: Buffer.alloc(32).toString('base64url'), counter: 8 },
      { type: 'webauthn.create', counter: 8 },
      { isAbsent: true, counter: 8 },
      { counter: 7 },
      { counter: 1 },
    ]
    for (const deviation of deviations) {
      const reply = await logIn(authenticator, 'strict', deviation)
      assert.deepEqual(
        [reply.status, reply.json.detail],
        [401, 'The passkey was not accepted: begin again.'],
        JSON.stringify(deviation),
      )
    }
    assert.equal((await logIn(authenticator, 'strict', { counter: 8 })).status, 201)
    served.clock.advance(20 * 60_000)
  })

  test('an assertion counts once, in the attempt that it was asked for in, and for ten minutes', async () => {
    const authenticator = await enrol(await addOperator('once'), 'once')
    const { options, cookie } = await beginLogin({ username: 'once', password })
    // Authenticators that do not count say 0 each time.
    const assertion = authenticator.get(options, { counter: 0 })
    const others = await beginLogin({ username: 'once', password })
    assert.equal((await finishLogin(others.cookie, assertion)).status, 401, 'of another attempt')
    assert.equal((await finishLogin('', assertion)).status, 401, 'of no attempt')
    const races = await Promise.all([1, 2, 3].map(() => finishLogin(cookie, assertion)))
    assert.deepEqual(races.map(({ status }) => status).sort(), [201, 401, 401])
    assert.equal((await finishLogin(cookie, assertion)).status, 401)
    const late = await beginLogin({ username: 'once', password })
    served.clock.advance(10 * 60_000)
    assert.equal(
      (await finishLogin(late.cookie, authenticator.get(late.options, { counter: 0 }))).status,
      401,
    )
    served.clock.advance(20 * 60_000)
  })

  test("another operator's passkey, and one that was removed, open nothing", async () => {
    const victim = await addOperator('victim')
    await enrol(victim, 'victim')
    const attacker = await enrol(await addOperator('attacker'), 'attacker')
    assert.equal((await logIn(attacker, 'victim')).status, 401)
    const userHandle = (await begin(victim, 'victim')).json.options.user.id
    assert.equal((await logIn(attacker, undefined, { userHandle })).status, 401)
    assert.equal((await logIn(new TestAuthenticator(publicUrl), 'victim')).status, 401, 'registered nowhere')

    const path = '/operators/attacker/passkeys'
    const { items } = (await served.as(owner, 'GET', path)).json
    const begun = await beginLogin({ username: 'attacker', password })
    const assertion = attacker.get(begun.options)
    assert.equal(
      (await served.as(owner, 'DELETE', `${path}/${items[0].id}`, { headers: anyState })).status,
      204,
    )
    assert.equal((await finishLogin(begun.cookie, assertion)).status, 401)
    assert.equal((await logIn(attacker)).status, 401)
    served.clock.advance(20 * 60_000)
  })

  test('a disabled or removed operator has no use of a passkey', async () => {
    const authenticator = await enrol(await addOperator('out'), 'out')
    const change = { headers: anyState, body: { isDisabled: true } }
    assert.equal((await served.as(owner, 'PATCH', '/operators/out', change)).status, 200)
    assert.equal((await logIn(authenticator)).status, 401)
    assert.equal((await served.as(owner, 'DELETE', '/operators/out', { headers: anyState })).status, 204)
    assert.equal((await logIn(authenticator)).status, 401)
  })

  test('a passkey is made for this site, in the session that has asked for it, once, and by the password', async () => {
    const session = await addOperator('makes')
    const second = await served.logIn('makes', password)
    const stranger = await addOperator('stranger')
    const wrong = await begin(session, 'makes', 'another password')
    assert.deepEqual([wrong.status, wrong.json.parameter], [400, 'currentPassword'])
    for (const caller of [owner, stranger]) assert.equal((await begin(caller, 'makes')).status, 403)

    const { ticket, options } = (await begin(session, 'makes')).json
    const authenticator = new TestAuthenticator(publicUrl)
    for (const deviation of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: Buffer.alloc(32).toString('base64url') },
      { type: 'webauthn.get' },
      { isAbsent: true },
    ]) {
      const refused = await register(session, 'makes', {
        ticket,
        credential: authenticator.create(options, deviation),
      })
      assert.deepEqual(
        [refused.status, refused.json.parameter],
        [400, 'credential'],
        JSON.stringify(deviation),
      )
    }
    const credential = authenticator.create(options)
    const elsewhere = await register(second, 'makes', { ticket, credential })
    assert.deepEqual([elsewhere.status, elsewhere.json.parameter], [400, 'ticket'])
    assert.equal((await register(stranger, 'stranger', { ticket, credential })).status, 400)
    assert.equal((await register(owner, 'makes', { ticket, credential })).status, 403)
    assert.equal((await register(session, 'makes', { ticket, credential })).status, 200)
    const twice = await register(session, 'makes', { ticket, credential })
    assert.deepEqual([twice.status, twice.json.parameter], [400, 'ticket'])
    const again = (await begin(session, 'makes')).json
    assert.deepEqual(
      again.options.excludeCredentials.map(({ id }: { id: string }) => id),
      [authenticator.id],
    )
    const same = await register(session, 'makes', {
      ticket: again.ticket,
      credential: authenticator.create(again.options),
    })
    assert.deepEqual([same.status, same.json.parameter], [409, 'credential'])
    const late = (await begin(session, 'makes')).json
    served.clock.advance(10 * 60_000)
    const expired = await register(session, 'makes', {
      ticket: late.ticket,
      credential: new TestAuthenticator(publicUrl).create(late.options),
    })
    assert.deepEqual([expired.status, expired.json.parameter], [400, 'ticket'])
  })

  test('an operator names and removes his passkeys, an owner removes those of others, and nobody else sees them', async () => {
    const session = await addOperator('names')
    await enrol(session, 'names')
    const path = '/operators/names/passkeys'
    const { items } = (await served.as(session, 'GET', path)).json
    assert.deepEqual([items.length, items[0].name, items[0].usedAt], [1, 'security key', null])
    const one = `${path}/${items[0].id}`
    const named = await served.as(session, 'PATCH', one, { headers: anyState, body: { name: 'blue one' } })
    assert.deepEqual([named.status, named.json.name], [200, 'blue one'])
    const stranger = await addOperator('curious')
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      assert.equal((await served.as(stranger, method, one, { headers: anyState })).status, 403, method)
    }
    assert.equal((await served.as(stranger, 'GET', `/operators/curious/passkeys/${items[0].id}`)).status, 404)
    // The way back of who has lost his only passkey.
    assert.equal((await served.as(owner, 'DELETE', one, { headers: anyState })).status, 204)
    assert.equal((await passwordAlone('names')).status, 201)
    const { text } = await served.as(owner, 'GET', '/audit?limit=1000')
    assert.match(text, /deleteOperatorPasskey/)
    assert.doesNotMatch(text, /sealed:1|currentPassword/)
  })

  test('whoever has an authenticator app as well logs in with either', async () => {
    const session = await addOperator('both')
    const authenticator = await enrol(session, 'both')
    const { address } = (await served.as(session, 'POST', '/operators/both/totp')).json
    assert.equal((await passwordAlone('both')).json.parameter, 'passkey', 'the app is not confirmed')
    const totp = URI.parse(address)
    const codeOfNow = () => totp.generate({ timestamp: served.clock.now() })
    const confirmed = await served.as(session, 'POST', '/operators/both/totp-confirm', {
      body: { code: codeOfNow() },
    })
    assert.deepEqual([confirmed.json.secondFactor, confirmed.json.passkeys], ['totp', 1])
    assert.equal((await passwordAlone('both')).json.parameter, 'code')
    assert.equal((await logIn(authenticator, 'both')).status, 201)
    served.clock.advance(30_000)
    assert.equal((await passwordAlone('both', { code: codeOfNow() })).status, 201)
  })

  test('without a public host name there are no passkeys, and who has one is still not let in by password alone', async () => {
    const store = await newStore()
    const first = await serveAdministration(store, { configuration: { publicUrl } })
    const firstOwner = first.owner
    const session = await first.logIn(firstOwner.username, firstOwner.password)
    const options = await first.as(session, 'POST', '/operators/admin/passkey-options', {
      body: { currentPassword: firstOwner.password },
    })
    const registered = await first.as(session, 'POST', '/operators/admin/passkey-register', {
      body: {
        name: 'key',
        ticket: options.json.ticket,
        credential: new TestAuthenticator(publicUrl).create(options.json.options),
      },
    })
    assert.equal(registered.status, 200, registered.text)
    await first.close()
    const second = await serveAdministration(store, {
      owner: firstOwner,
      configuration: { publicUrl: 'http://127.0.0.1:8080' },
    })
    assert.equal((await send(`${second.baseUrl}/login`)).json.hasPasskeys, false)
    const alone = await send(`${second.baseUrl}/session`, { method: 'POST', body: firstOwner })
    assert.equal(alone.status, 401)
    const begun = await send(`${second.baseUrl}/session/passkey-options`, {
      method: 'POST',
      body: firstOwner,
    })
    assert.equal(begun.status, 409)
    await second.close()
  })
})
