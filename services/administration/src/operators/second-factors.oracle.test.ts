import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { serveAdministration, type TestAdministration, type TestSession } from '../test-service.ts'

const password = 'correct horse battery'

onEveryStore('second factors and passwords', (newStore) => {
  let served: TestAdministration
  let owner: TestSession
  before(async () => {
    served = await serveAdministration(await newStore())
    owner = await served.logIn(served.owner.username, served.owner.password)
  })
  after(() => served.close())

  async function addOperator(username: string): Promise<TestSession> {
    const body = { username, password, grants: [] }
    assert.equal((await served.as(owner, 'POST', '/operators', { body })).status, 201)
    return served.logIn(username, password)
  }

  /** The code of an authenticator of others, oathtool's. */
  const codeOf = (secret: string): string =>
    execFileSync(
      'oathtool',
      ['--totp', '--base32', '--now', new Date(served.clock.now()).toISOString(), secret],
      {
        encoding: 'utf8',
        env: { ...process.env, TZ: 'UTC' },
      },
    ).trim()

  const logIn = (username: string, more: object = {}) =>
    send(`${served.baseUrl}/session`, { method: 'POST', body: { username, password, ...more } })

  /** Gives an operator an authenticator, and returns its secret. */
  async function enrol(session: TestSession, username: string): Promise<string> {
    const begun = await served.as(session, 'POST', `/operators/${username}/totp`)
    assert.equal(begun.status, 200, begun.text)
    const { secret, address } = begun.json
    assert.match(address, new RegExp(`^otpauth://totp/Palisade:${username}\\?.*secret=${secret}`))
    const code = codeOf(secret)
    const confirmed = await served.as(session, 'POST', `/operators/${username}/totp-confirm`, {
      body: { code },
    })
    assert.deepEqual([confirmed.status, confirmed.json.secondFactor], [200, 'totp'])
    assert.ok(!confirmed.text.includes(secret))
    return secret
  }

  test('a login needs a code of the authenticator, and each code counts once', async () => {
    const session = await addOperator('careful')
    const secret = await enrol(session, 'careful')
    const without = await logIn('careful')
    assert.deepEqual([without.status, without.json.parameter], [401, 'code'])
    assert.equal(
      (await logIn('careful', { code: codeOf(secret) })).status,
      401,
      'it confirmed the authenticator',
    )
    served.clock.advance(30_000)
    const code = codeOf(secret)
    assert.equal((await logIn('careful', { code: '000000' === code ? '000001' : '000000' })).status, 401)
    assert.equal((await logIn('careful', { code, password: 'another password' })).status, 401)
    assert.equal((await logIn('careful', { code })).status, 201)
    assert.equal((await logIn('careful', { code })).status, 401)
    served.clock.advance(30_000)
    const races = await Promise.all([1, 2, 3].map(() => logIn('careful', { code: codeOf(secret) })))
    assert.deepEqual(races.map(({ status }) => status).sort(), [201, 401, 401])
    served.clock.advance(90_000)
    assert.equal((await logIn('careful', { code })).status, 401, 'an old code is none')
  })

  test('codes are not guessed: after ten wrong ones, from wherever, the right one is refused too for a while', async () => {
    const session = await addOperator('guessed')
    const secret = await enrol(session, 'guessed')
    served.clock.advance(30_000)
    const code = codeOf(secret)
    const guess = (from: string, given: string) =>
      send(`${served.baseUrl}/session`, {
        method: 'POST',
        from,
        body: { username: 'guessed', password, code: given },
      })
    for (let address = 1; address <= 10; address++) {
      const wrong = code === `00000${address % 10}` ? '999999' : `00000${address % 10}`
      assert.equal((await guess(`127.0.3.${address}`, wrong)).status, 401)
    }
    const refused = await guess('127.0.3.99', code)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal((await served.as(session, 'GET', '/session')).status, 200)
    served.clock.advance(15 * 60_000)
    assert.equal((await guess('127.0.3.99', codeOf(secret))).status, 201)
  })

  test('an authenticator that was not confirmed asks for nothing; one that was is not replaced', async () => {
    const session = await addOperator('begun')
    await served.as(session, 'POST', '/operators/begun/totp')
    const wrong = await served.as(session, 'POST', '/operators/begun/totp-confirm', {
      body: { code: '12345' },
    })
    assert.deepEqual([wrong.status, wrong.json.parameter], [400, 'code'])
    assert.equal((await logIn('begun')).status, 201)
    served.clock.advance(30_000)
    await enrol(session, 'begun')
    assert.equal((await served.as(session, 'POST', '/operators/begun/totp')).status, 409)
  })

  test('an operator removes his own with a code, an owner that of another without, and nobody else any', async () => {
    const session = await addOperator('lost')
    const secret = await enrol(session, 'lost')
    const removal = '/operators/lost/totp-remove'
    assert.equal((await served.as(session, 'POST', removal, { body: {} })).status, 400)
    const stranger = await addOperator('stranger')
    assert.equal((await served.as(stranger, 'POST', removal, { body: { code: codeOf(secret) } })).status, 403)
    assert.equal((await served.as(owner, 'POST', '/operators/lost/totp')).status, 403)
    served.clock.advance(30_000)
    const own = await served.as(session, 'POST', removal, { body: { code: codeOf(secret) } })
    assert.deepEqual([own.status, own.json.secondFactor], [200, null])
    await enrol(session, 'lost')
    assert.equal((await served.as(owner, 'POST', removal, { body: {} })).status, 200)
    assert.equal((await logIn('lost')).status, 201)
    const { text } = await served.as(owner, 'GET', '/audit?limit=1000')
    assert.ok(!text.includes(secret))
  })

  test('an operator changes his password by the one that he has, and his sessions end', async () => {
    const session = await addOperator('changes')
    const address = '/operators/changes/password'
    const newPassword = 'another long password'
    const wrong = await served.as(session, 'POST', address, { body: { currentPassword: 'no', newPassword } })
    assert.deepEqual([wrong.status, wrong.json.parameter], [400, 'currentPassword'])
    const short = await served.as(session, 'POST', address, {
      body: { currentPassword: password, newPassword: 'short' },
    })
    assert.deepEqual([short.status, short.json.parameter], [400, 'newPassword'])
    assert.equal(
      (await served.as(owner, 'POST', address, { body: { currentPassword: password, newPassword } })).status,
      403,
    )
    const changed = await served.as(session, 'POST', address, {
      body: { currentPassword: password, newPassword },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await served.as(session, 'GET', '/session')).status, 401)
    assert.equal((await logIn('changes')).status, 401)
    await served.logIn('changes', newPassword)
  })
})
