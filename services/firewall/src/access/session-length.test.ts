import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { onEveryStore, send, settableClock } from '@palisade/platform/testing'
import type { FirewallTables } from '../tables.ts'
import { basic, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { limitedAdministrator } from '../testing/limited-administrator.ts'

const minuteMs = 60_000

onEveryStore('tokens while the configuration changes', (newStore) => {
  async function serve(t: TestContext) {
    const clock = settableClock()
    const store = await newStore()
    const served = await serveFirewall({ store, clock })
    t.after(() => served.close())
    const admin = await logIn(served.baseUrl)
    const setLength = async (minutes: number) => {
      const body = { 'http-session-length': minutes }
      assert.equal((await admin.call('PUT', 'system/web-interface', body)).status, 200)
    }
    const statusOf = async (token: string, version = 'v3.2') =>
      (await send(`${served.baseUrl}/restapi/${version}/services`, { headers: basic(`${token}:`) })).status
    return { ...served, store, clock, admin, setLength, statusOf }
  }

  test('live as long as the system says when they are issued', async (t) => {
    const { baseUrl, clock, setLength, statusOf } = await serve(t)
    await setLength(60)
    const { token } = await logIn(baseUrl)
    clock.advance(60 * minuteMs - 1)
    assert.equal(await statusOf(token), 200)
    clock.advance(1)
    assert.equal(await statusOf(token), 401)
  })

  test('end sooner once the system says so, and no later', async (t) => {
    const { clock, admin, setLength, statusOf } = await serve(t)
    await setLength(5)
    clock.advance(4 * minuteMs)
    const { token: fresh } = (await admin.get('services')).json
    clock.advance(minuteMs)
    assert.equal(await statusOf(admin.token), 401, 'it was issued for twenty minutes')
    assert.equal(await statusOf(fresh), 200)
    clock.advance(5 * minuteMs)
    assert.equal(await statusOf(fresh), 401)
  })

  test('of replies are valid when they are handed out, however the length was changed', async (t) => {
    const { clock, admin, setLength, statusOf } = await serve(t)
    await setLength(1_000)
    const long: string = (await admin.get('services')).json.token
    const readWith = async (token: string) =>
      (await send(`${admin.root}/services`, { headers: basic(`${token}:`) })).json.token
    await readWith(long)
    clock.advance(3 * minuteMs)
    await setLength(5)
    for (let minute = 0; minute < 2; minute++) {
      assert.equal(await statusOf(await readWith(long)), 200)
      clock.advance(minuteMs)
    }
  })

  test('are neither useless nor endless, whatever length is given', async (t) => {
    const { baseUrl, clock, setLength, statusOf } = await serve(t)
    for (const minutes of [9_999_999_999_999, 0]) {
      await setLength(minutes)
      const { token } = await logIn(baseUrl)
      clock.advance(minuteMs - 1)
      assert.equal(await statusOf(token), 200, `${minutes} minutes`)
    }
  })

  test('end with a new password, a new name or the end of the administrator, all of them and nobody else’s', async (t) => {
    const { baseUrl, admin, statusOf } = await serve(t)
    const ends: [what: string, end: (username: string) => ReturnType<typeof admin.call>][] = [
      ['password', (name) => admin.call('PUT', `users/${name}`, { password: 'another Secret 2' })],
      ['name', (name) => admin.call('PUT', `users/${name}`, { name: `${name}-again` })],
      ['end', (name) => admin.call('DELETE', `users/${name}`)],
    ]
    for (const [what, end] of ends) {
      const limited = await limitedAdministrator(baseUrl, admin, `somebody-${what}`)
      await limited.allow({ objects: ['services:read'], services: ['_ALL_:read'] })
      const { token: fresh } = (await limited.get('services')).json
      const { token: second } = await logIn(baseUrl, {
        username: limited.username,
        password: 'Limited but 1 secret',
      })
      for (const version of ['v3', 'v3.1', 'v3.2']) assert.equal(await statusOf(limited.token, version), 200)
      assert.equal((await end(limited.username)).status, 200, what)
      for (const token of [limited.token, fresh, second]) {
        for (const version of ['v3', 'v3.1', 'v3.2']) assert.equal(await statusOf(token, version), 401, what)
      }
    }
    assert.equal(await statusOf(admin.token), 200)
  })

  test('do not come back with a new administrator of the old name', async (t) => {
    const { baseUrl, admin, statusOf } = await serve(t)
    const limited = await limitedAdministrator(baseUrl, admin)
    const user = (await admin.get('users/limited')).json.data.limited
    await admin.call('DELETE', 'users/limited')
    const again = {
      name: 'limited',
      role: user.role,
      'email-address': 'a@example.com',
      password: 'Limited but 1 secret',
    }
    assert.equal((await admin.call('POST', 'users', again)).status, 201)
    assert.equal(await statusOf(limited.token), 401)
  })

  test('cannot be guessed from others: each changed, shortened or made-up one is refused', async (t) => {
    const { admin, statusOf, store } = await serve(t)
    const reduced = admin.token.replaceAll('\n', '')
    const { et, user, password } = JSON.parse(Buffer.from(reduced, 'base64').toString())
    const encoded = (members: object) => Buffer.from(JSON.stringify(members)).toString('base64')
    const guesses = [
      ...Array.from(reduced, (digit, index) => {
        return `${reduced.slice(0, index)}${digit === 'A' ? 'B' : 'A'}${reduced.slice(index + 1)}`
      }),
      ...Array.from(reduced, (_, index) => reduced.slice(0, index)),
      encoded({ et: String(Number(et) + 60), user, password }),
      encoded({ et, user: 'root', password }),
      encoded({ user, et, password }),
      encoded({ et, user, password: '0'.repeat(32) }),
      ...Array.from({ length: 50 }, () => encoded({ et, user, password: randomBytes(16).toString('hex') })),
      ...Array.from({ length: 50 }, () => randomBytes(84).toString('base64')),
    ].filter((guess) => guess !== reduced)
    for (const guess of guesses) assert.equal(await statusOf(guess), 401, guess)
    assert.ok(guesses.length > 300)
    const rows = await store.tables<FirewallTables>().selectFrom('firewall_token').selectAll().execute()
    for (const { digest } of rows)
      assert.equal(await statusOf(digest), 401, 'what the store keeps opens nothing')
    for (const { digest } of rows) assert.match(digest, /^[A-Za-z0-9_+/=-]{43,64}$/)
    assert.equal(JSON.stringify(rows).includes(password), false)
    assert.equal(await statusOf(admin.token), 200)
  })
})
