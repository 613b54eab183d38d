import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Passwords, type Store } from '@palisade/platform'
import { onEveryStore, send, settableClock } from '@palisade/platform/testing'
import { type Client, logIn } from '../testing/client.ts'
import { administrator, serveFirewall } from '../testing/firewall.ts'

const minuteMs = 60_000
const { username, password } = administrator

onEveryStore('failed logins', (newStore) => {
  async function serve(
    t: TestContext,
    given: { store?: Store; clock?: ReturnType<typeof settableClock> } = {},
  ) {
    const { store = await newStore(), clock = settableClock() } = given
    const served = await serveFirewall({ store, clock })
    t.after(() => served.close())
    const attempt = async (name: string, secret: string) =>
      (
        await send(`${served.baseUrl}/restapi/v3.2/login`, {
          method: 'POST',
          body: { username: name, password: secret },
        })
      ).status
    const fail = async (name: string, times: number) => {
      for (let time = 0; time < times; time++) assert.equal(await attempt(name, 'wrong'), 401)
    }
    return { ...served, store, clock, attempt, fail }
  }

  const set = async ({ call }: Client, members: object) =>
    assert.equal((await call('PUT', 'system/account-lockout-settings', members)).status, 200)

  test('lock a name after the fifth, for a quarter of an hour, also with the right password', async (t) => {
    const { attempt, fail, clock } = await serve(t)
    await fail(username, 4)
    assert.equal(await attempt(username, password), 200, 'which also forgives')
    await fail(username, 5)
    assert.equal(await attempt(username, password), 401)
    clock.advance(15 * minuteMs - 1)
    assert.equal(await attempt(username, password), 401, 'and does not prolong it')
    clock.advance(1)
    assert.equal(await attempt(username, password), 200)
  })

  test('do not lock when they are further apart than the threshold', async (t) => {
    const { attempt, fail, clock } = await serve(t)
    await fail(username, 4)
    clock.advance(15 * minuteMs)
    await fail(username, 4)
    assert.equal(await attempt(username, password), 200)
  })

  test('lock one name and no other', async (t) => {
    const { attempt, fail } = await serve(t)
    await fail('Admin', 6)
    await fail('nobody', 6)
    assert.equal(await attempt(username, password), 200)
  })

  test('follow the settings of the moment', async (t) => {
    const { attempt, fail, clock, baseUrl } = await serve(t)
    const admin = await logIn(baseUrl)
    await set(admin, {
      'maximum-failed-login-attempts': 2,
      'lockout-duration': 3,
      'failed-login-time-threshold': 1,
    })
    await fail(username, 1)
    clock.advance(minuteMs)
    await fail(username, 1)
    assert.equal(await attempt(username, password), 200, 'a minute apart')
    await fail(username, 2)
    assert.equal(await attempt(username, password), 401)
    clock.advance(3 * minuteMs)
    assert.equal(await attempt(username, password), 200)
    await set(admin, { 'maximum-failed-login-attempts': 1 })
    await fail(username, 1)
    assert.equal(await attempt(username, password), 401)
    clock.advance(3 * minuteMs)
    const longest = 9_007_199_254_740_991
    await set(admin, { 'lockout-duration': longest, 'failed-login-time-threshold': longest })
    await fail(username, 1)
    assert.equal(await attempt(username, password), 401, 'whatever the numbers')
  })

  test('count in full when a crowd tries at once', async (t) => {
    const { attempt } = await serve(t)
    const guesses = Array.from({ length: 30 }, (_, index) => (index === 20 ? password : `guess ${index}`))
    const statuses = await Promise.all(guesses.map((guess) => attempt(username, guess)))
    const tried = statuses.filter((status) => status === 200).length
    assert.ok(tried <= 1)
    assert.equal(await attempt(username, password), 401, 'locked, whichever came first')
  })

  test('keep nobody waiting who comes from elsewhere', async (t) => {
    const { baseUrl } = await serve(t)
    const attemptFrom = (from: string, name: string) =>
      send(`${baseUrl}/restapi/v3.2/login`, { method: 'POST', from, body: { username: name, password } })
    let answered = 0
    const crowd = Array.from({ length: 60 }, async (_, index) => {
      await attemptFrom('127.0.0.2', `nobody ${index}`)
      answered++
    })
    await Promise.race(crowd)
    assert.equal((await attemptFrom('127.0.0.1', username)).status, 200)
    assert.ok(answered < 40, `${answered} of the crowd came first`)
    await Promise.all(crowd)
  })

  test('count on two servers together, a crowd at each included', async (t) => {
    const one = await serve(t)
    const other = await serve(t, one)
    for (let round = 0; round < 2; round++) {
      assert.equal(await one.attempt(username, 'wrong'), 401)
      assert.equal(await other.attempt(username, 'wrong'), 401)
    }
    assert.equal(await one.attempt(username, password), 200)
    await Promise.all(
      [one, other].flatMap(({ attempt }) => Array.from({ length: 4 }, () => attempt(username, 'wrong'))),
    )
    assert.equal(await one.attempt(username, password), 401)
    assert.equal(await other.attempt(username, password), 401)
  })

  test('are remembered over a restart', async (t) => {
    const before = await serve(t)
    await before.fail(username, 5)
    await before.close()
    const { attempt, clock } = await serve(t, before)
    assert.equal(await attempt(username, password), 401)
    clock.advance(15 * minuteMs)
    assert.equal(await attempt(username, password), 200)
  })

  test('take the same work and the same words for known, unknown and locked names', async (t) => {
    const { baseUrl, fail } = await serve(t)
    await fail('locked', 5)
    await fail(username, 5)
    const matches = t.mock.method(Passwords.prototype, 'matches')
    const texts = new Set<string>()
    const names = [
      'locked',
      username,
      'unknown',
      `${username}2`,
      '',
      ' ',
      'x'.repeat(10_000),
      'a\0b',
      '\u{1F600}',
      '__proto__',
    ]
    for (const name of names) {
      matches.mock.resetCalls()
      const body = { username: name, password }
      const { status, text } = await send(`${baseUrl}/restapi/v3.2/login`, { method: 'POST', body })
      assert.equal(status, 401, JSON.stringify(name))
      assert.equal(matches.mock.callCount(), 1, JSON.stringify(name))
      texts.add(text)
    }
    assert.equal(texts.size, 1)
  })
})
