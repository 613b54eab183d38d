import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { TOTP } from 'otpauth'
import { serveAdministration, type TestAdministration, type TestSession } from '../test-service.ts'

const password = 'correct horse battery'
const newPassword = 'a better battery staple'
const quarterMs = 15 * 60_000

onEveryStore('guessing in an open session', (newStore) => {
  let served: TestAdministration
  let owner: TestSession
  before(async () => {
    served = await serveAdministration(await newStore(), {
      configuration: { publicUrl: 'https://palisade.example.org' },
    })
    owner = await served.logIn(served.owner.username, served.owner.password)
  })
  after(() => served.close())

  async function addOperator(username: string): Promise<TestSession> {
    const body = { username, password, grants: [] }
    assert.equal((await served.as(owner, 'POST', '/operators', { body })).status, 201)
    return served.logIn(username, password)
  }

  /** One request in a session from an address, as somebody sends it who has found the session. */
  const act = ({ cookie, csrfToken }: TestSession, path: string, body: object, from: string) =>
    send(`${served.baseUrl}/operators/${path}`, {
      method: 'POST',
      from,
      body,
      headers: { cookie, 'x-csrf-token': csrfToken },
    })

  /** Guesses ten times, each time from another address. */
  async function guessTenTimes(
    guess: (from: string) => ReturnType<typeof send>,
    field: string,
  ): Promise<void> {
    for (let address = 1; address <= 10; address++) {
      const { status, json } = await guess(`127.0.5.${address}`)
      assert.deepEqual([status, json.parameter], [400, field])
    }
  }

  function assertRefused({ status, headers }: Awaited<ReturnType<typeof send>>): void {
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 0)
  }

  test('the password of a session is refused after ten wrong ones, from wherever, also the right one, for a while', async () => {
    const session = await addOperator('found')
    const change = (currentPassword: string, from: string) =>
      act(session, 'found/password', { currentPassword, newPassword }, from)
    await guessTenTimes((from) => change('a guess', from), 'currentPassword')
    assertRefused(await change(password, '127.0.5.99'))
    assertRefused(await act(session, 'found/passkey-options', { currentPassword: password }, '127.0.5.99'))
    await served.logIn('found', password)
    const other = await addOperator('unharmed')
    const own = { currentPassword: password, newPassword }
    assert.equal((await act(other, 'unharmed/password', own, '127.0.5.99')).status, 200)
    served.clock.advance(quarterMs)
    assert.equal((await change(password, '127.0.5.99')).status, 200)
  })

  test('the password that a passkey is registered by is guessed no faster', async () => {
    const session = await addOperator('passkeys')
    const begin = (currentPassword: string, from: string) =>
      act(session, 'passkeys/passkey-options', { currentPassword }, from)
    await guessTenTimes((from) => begin('a guess', from), 'currentPassword')
    assertRefused(await begin(password, '127.0.5.99'))
  })

  test('codes of a session are refused after ten wrong ones, when an authenticator is confirmed and when it is removed', async () => {
    const session = await addOperator('codes')
    const { secret } = (await served.as(session, 'POST', '/operators/codes/totp')).json
    const rightCode = () => new TOTP({ secret }).generate({ timestamp: served.clock.now() })
    const wrongCode = () => (rightCode() === '000000' ? '111111' : '000000')
    const send = (action: string, code: string, from: string) =>
      act(session, `codes/${action}`, { code }, from)
    await guessTenTimes((from) => send('totp-confirm', wrongCode(), from), 'code')
    assertRefused(await send('totp-confirm', rightCode(), '127.0.5.99'))
    served.clock.advance(quarterMs)
    assert.equal((await send('totp-confirm', rightCode(), '127.0.5.99')).status, 200)
    await guessTenTimes((from) => send('totp-remove', wrongCode(), from), 'code')
    assertRefused(await send('totp-remove', rightCode(), '127.0.5.99'))
    served.clock.advance(quarterMs)
    assert.equal((await send('totp-remove', rightCode(), '127.0.5.99')).status, 200)
  })

  test('guesses in sessions count for their address, as those of logins do', async () => {
    const from = '127.0.6.1'
    for (const username of ['first', 'second', 'third']) {
      const session = await addOperator(username)
      for (let guess = 0; guess < 10; guess++) {
        const body = { currentPassword: `guess ${guess}`, newPassword }
        assert.equal((await act(session, `${username}/password`, body, from)).status, 400)
      }
    }
    const login = { method: 'POST', from, body: { username: 'first', password } }
    assertRefused(await send(`${served.baseUrl}/session`, login))
  })
})
