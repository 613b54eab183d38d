import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { digestOf, Passwords, type Store } from '@palisade/platform'
import { onEveryStore, send, settableClock } from '@palisade/platform/testing'
import type { FirewallTables } from '../tables.ts'
import { type Client, logIn } from '../testing/client.ts'
import { administrator, serveFirewall } from '../testing/firewall.ts'
import { countsMax } from './failure-counts.ts'

const minuteMs = 60_000
/** Somebody who may be locked anywhere: he may not change everything. */
const watcher = { username: 'watcher', password: 'another long secret', role: 'guest' }
const { username, password } = watcher
const elsewhere = '127.0.0.99'

onEveryStore('failed logins', (newStore) => {
  async function serve(
    t: TestContext,
    settings: { store?: Store; clock?: ReturnType<typeof settableClock> } = {},
  ) {
    const { store = await newStore(), clock = settableClock() } = settings
    // A crowd waits here for work that takes its time.
    const passwords = new Passwords()
    const served = await serveFirewall({ store, clock, passwords, administrators: [administrator, watcher] })
    t.after(() => served.close())
    const attempt = async (name: string, secret: string, from = '127.0.0.1') =>
      (
        await send(`${served.baseUrl}/restapi/v3.2/login`, {
          method: 'POST',
          from,
          body: { username: name, password: secret },
        })
      ).status
    const fail = async (name: string, times: number, from?: string) => {
      for (let time = 0; time < times; time++) assert.equal(await attempt(name, 'wrong', from), 401)
    }
    return { ...served, store, clock, attempt, fail }
  }

  const set = async ({ call }: Client, members: object) =>
    assert.equal((await call('PUT', 'system/account-lockout-settings', members)).status, 200)

  // They mostly wait for the pauses behind failures.
  describe('with pauses', { concurrency: true }, () => {
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

    test('are answered later and later before they lock, and only from there', async (t) => {
      const { attempt, fail } = await serve(t)
      const timeOf = async (attempted: Promise<unknown>) => {
        const start = performance.now()
        await attempted
        return performance.now() - start
      }
      await fail(username, 2)
      for (const pauseMs of [200, 400, 800]) {
        const took = await timeOf(fail(username, 1))
        assert.ok(took >= pauseMs, `${took} instead of ${pauseMs}`)
        assert.equal(await attempt(username, password, elsewhere), 200)
      }
    })

    test('never lock him who alone may change everything out from where he was logged in before', async (t) => {
      const { attempt, fail } = await serve(t)
      const { username: name, password: secret } = administrator
      assert.equal(await attempt(name, secret), 200)
      await fail(name, 7)
      assert.equal(await attempt(name, secret), 200)
      await fail(name, 5, elsewhere)
      assert.equal(await attempt(name, secret, elsewhere), 401, 'where nobody knows him he is locked')
    })

    test('leave one in of several who may change everything', async (t) => {
      const { attempt, fail, clock, baseUrl } = await serve(t)
      const second = {
        name: 'second',
        password: 'Second but 1 secret',
        role: 'admin',
        'email-address': 'a@b.example',
      }
      const { call } = await logIn(baseUrl)
      assert.equal((await call('POST', 'users', second)).status, 201)
      assert.equal(await attempt(second.name, second.password), 200)
      await fail(administrator.username, 5)
      assert.equal(await attempt(administrator.username, administrator.password), 401)
      await fail(second.name, 7)
      assert.equal(await attempt(second.name, second.password), 200)
      await fail(username, 5)
      assert.equal(await attempt(username, password), 401, 'who may not change everything')
      clock.advance(15 * minuteMs)
      assert.equal(await attempt(administrator.username, administrator.password), 200)
    })

    test('keep nobody waiting for more than ten seconds for those before him that have to wait', async (t) => {
      const { store, clock, attempt, fail } = await serve(t)
      const { username: name, password: secret } = administrator
      assert.equal(await attempt(name, secret), 200)
      await fail(name, 1)
      await store
        .tables<FirewallTables>()
        .updateTable('firewall_failed_login')
        .set({ failures: 50, locked_until: clock.now() + minuteMs })
        .where('name_digest', '=', digestOf(name))
        .where('network', '=', '127.0.0.1')
        .execute()
      const statuses = await Promise.all(Array.from({ length: 5 }, () => attempt(name, 'wrong')))
      // On a loaded machine the last may come when the first has waited to the end.
      const ofOneThatWaited = statuses.filter((status) => status === 401).length === 3 ? 401 : 429
      assert.deepEqual(statuses.toSorted(), [401, 401, ofOneThatWaited, 429, 429])
      assert.equal(await attempt(name, secret), 200)
    })

    test('are remembered with the networks of half a year, a hundred for each name', async (t) => {
      const { store, clock, attempt, fail } = await serve(t)
      const { username: name, password: secret } = administrator
      const familiar = store.tables<FirewallTables>()
      const networks = Array.from({ length: 120 }, (_, index) => ({
        name_digest: digestOf(name),
        network: `192.0.2.${index}`,
        last_at: clock.now() - 1_000 + index,
      }))
      await familiar.insertInto('firewall_familiar_network').values(networks).execute()
      assert.equal(await attempt(name, secret), 200)
      const left = await familiar.selectFrom('firewall_familiar_network').selectAll().execute()
      assert.equal(left.length, 100)
      assert.ok(left.some(({ network }) => network === '127.0.0.1'))
      clock.advance(181 * 24 * 60 * minuteMs)
      await fail(name, 5)
      assert.equal(await attempt(name, secret), 401)
    })

    test('lock one name and no other', async (t) => {
      const { attempt, fail } = await serve(t)
      await fail('Admin', 6)
      await fail('nobody', 6)
      assert.equal(await attempt(username, password), 200)
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
  })

  test('from one address, twelve times as many as lock a name, lock nobody out who comes from another', async (t) => {
    const { attempt, fail, baseUrl } = await serve(t)
    const admin = await logIn(baseUrl, administrator, '127.0.0.98')
    await set(admin, { 'maximum-failed-login-attempts': 2 })
    for (const each of [administrator, watcher]) {
      await fail(each.username, 24)
      assert.equal(await attempt(each.username, each.password), 401, 'from there he is locked')
      assert.equal(await attempt(each.username, each.password, elsewhere), 200)
    }
  })

  test('of a name from many addresses lock it, except where it was logged in with before', async (t) => {
    const { attempt, fail, clock, baseUrl } = await serve(t)
    assert.equal(await attempt(username, password), 200)
    await set(await logIn(baseUrl), { 'maximum-failed-login-attempts': 2 })
    for (let host = 10; host < 20; host++) await fail(username, 2, `127.0.0.${host}`)
    assert.equal(await attempt(username, password, elsewhere), 401)
    assert.equal(await attempt(username, password), 200)
    const { username: other, password: secret } = administrator
    assert.equal(await attempt(other, secret, elsewhere), 200, 'and no other name')
    clock.advance(15 * minuteMs)
    assert.equal(await attempt(username, password, elsewhere), 200)
  })

  test('with many names from an address lock it, except for whom was logged in from there before', async (t) => {
    const { attempt, fail, clock, baseUrl } = await serve(t)
    await set(await logIn(baseUrl), { 'maximum-failed-login-attempts': 2 })
    for (let index = 0; index < 20; index++) await fail(`nobody ${index}`, 1)
    assert.equal(await attempt(username, password), 401)
    assert.equal(await attempt(username, password, elsewhere), 200)
    assert.equal(await attempt(administrator.username, administrator.password), 200)
    clock.advance(15 * minuteMs)
    assert.equal(await attempt(username, password), 200)
  })

  test('fill no store, however many names and addresses there are', async (t) => {
    const { store, clock, fail } = await serve(t)
    const tables = store.tables<FirewallTables>()
    const rows = Array.from({ length: countsMax + 5_000 }, (_, index) => ({
      name_digest: `made up ${index}`,
      network: '192.0.2.1',
      failures: 1,
      first_failed_at: clock.now() + index,
      locked_until: 0,
    }))
    for (let start = 0; start < rows.length; start += 5_000) {
      await tables
        .insertInto('firewall_failed_login')
        .values(rows.slice(start, start + 5_000))
        .execute()
    }
    clock.advance(2 * minuteMs)
    await fail(username, 1)
    const failureCounts = await tables
      .selectFrom('firewall_failed_login')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('first_failed_at').as('first')])
      .executeTakeFirstOrThrow()
    assert.equal(Number(failureCounts.count), countsMax + 3)
    assert.equal(Number(failureCounts.first), rows[5_000]?.first_failed_at, 'the oldest went')
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
    let replies = 0
    const crowd = Array.from({ length: 48 }, async (_, index) => {
      await attemptFrom('127.0.0.2', `nobody ${index}`)
      replies++
    })
    await Promise.race(crowd)
    assert.equal((await attemptFrom('127.0.0.1', username)).status, 200)
    // Far from all, also on a machine where the request takes long to arrive.
    assert.ok(replies < 40, `${replies} of the crowd came first`)
    await Promise.all(crowd)
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
