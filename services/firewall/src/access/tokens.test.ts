import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Store } from '@palisade/platform'
import { onEveryStore, send, settableClock } from '@palisade/platform/testing'
import { sql } from 'kysely'
import type { FirewallTables } from '../tables.ts'
import { basic, logIn } from '../testing/client.ts'
import { administrator, serveFirewall } from '../testing/firewall.ts'

const minuteMs = 60_000

onEveryStore('tokens', (newStore) => {
  async function serve(t: TestContext, options: Partial<Parameters<typeof serveFirewall>[0]> = {}) {
    const store = options.store ?? (await newStore())
    const clock = settableClock()
    const served = await serveFirewall({ clock, ...options, store })
    t.after(() => served.close())
    return { ...served, store, clock }
  }

  const tokensIn = (store: Store) =>
    store.tables<FirewallTables>().selectFrom('firewall_token').selectAll().execute()

  const statusWith = async (baseUrl: string, token: string) =>
    (await send(`${baseUrl}/restapi/v3.2/services`, { headers: basic(`${token}:`) })).status

  test('are kept as digests only, and say when they expire', async (t) => {
    const { baseUrl, store, clock } = await serve(t)
    const { token } = await logIn(baseUrl)
    const rows = await tokensIn(store)
    assert.equal(rows.length, 1)
    assert.equal(JSON.stringify(rows).includes(token.trim().slice(0, 20)), false)
    const { et } = JSON.parse(Buffer.from(token, 'base64').toString())
    assert.equal(Number(et) * 1000, clock.now() + 20 * minuteMs)
    assert.equal(rows[0]?.expires_at, clock.now() + 20 * minuteMs)
  })

  test('end twenty minutes after they were issued', async (t) => {
    const { baseUrl, clock } = await serve(t)
    const { token } = await logIn(baseUrl)
    clock.advance(20 * minuteMs - 1)
    assert.equal(await statusWith(baseUrl, token), 200)
    clock.advance(1)
    assert.equal(await statusWith(baseUrl, token), 401)
  })

  test('come fresh with every reply, differ from the one sent, and end none of the earlier ones', async (t) => {
    const { baseUrl, clock } = await serve(t)
    const { token } = await logIn(baseUrl)
    const tokens = [token]
    for (let index = 0; index < 30; index++) {
      clock.advance(minuteMs / 2)
      const sent = tokens.at(-1) ?? ''
      const reply = await send(`${baseUrl}/restapi/v3/services`, { headers: basic(`${sent}:`) })
      assert.equal(reply.status, 200)
      assert.notEqual(reply.json.token, sent)
      const { et } = JSON.parse(Buffer.from(reply.json.token, 'base64').toString())
      assert.ok(Number(et) * 1000 > clock.now() + 18 * minuteMs, 'is fresh')
      tokens.push(reply.json.token)
    }
    for (const earlier of tokens) assert.equal(await statusWith(baseUrl, earlier), 200)
    clock.advance(10 * minuteMs)
    assert.equal(await statusWith(baseUrl, token), 401, 'the first has aged')
    assert.equal(await statusWith(baseUrl, tokens.at(-1) ?? ''), 200, 'the newest outlives it')
  })

  test('are not written by reading: a minute of requests issues one more', async (t) => {
    const { baseUrl, store, clock } = await serve(t)
    const { get, token } = await logIn(baseUrl)
    let newest = token
    for (let index = 0; index < 50; index++) {
      await get('services')
      const reply = await send(`${baseUrl}/restapi/v3/services`, { headers: basic(`${newest}:`) })
      newest = reply.json.token
    }
    assert.equal((await tokensIn(store)).length, 2)
    clock.advance(minuteMs)
    await Promise.all([get('services'), get('services'), get('services')])
    assert.equal((await tokensIn(store)).length, 3)
  })

  test('come with failures and with changes, too', async (t) => {
    const { baseUrl } = await serve(t)
    const { call } = await logIn(baseUrl)
    const replies = [
      await call('GET', 'services/nobody'),
      await call('GET', 'nothing'),
      await call('PATCH', 'services'),
      await call('POST', 'services', { name: 'shop' }),
      await call('POST', 'services', { name: 'shop' }),
      await call('POST', 'services', 'no json'),
      await call('PUT', 'services/shop', {}),
      await call('DELETE', 'services/shop'),
    ]
    assert.deepEqual(
      replies.map(({ status }) => status),
      [404, 404, 405, 201, 406, 415, 200, 200],
    )
    for (const { json } of replies) assert.equal(await statusWith(baseUrl, json.token), 200)
  })

  test('are ended by logout with all that came from the same login, before and after, and with no other', async (t) => {
    const { baseUrl, store, clock } = await serve(t)
    const [one, other] = [await logIn(baseUrl), await logIn(baseUrl)]
    const chain = [one.token]
    for (let index = 0; index < 5; index++) {
      clock.advance(2 * minuteMs)
      const headers = basic(`${chain.at(-1)}:`)
      chain.push((await send(`${baseUrl}/restapi/v3.2/services`, { headers })).json.token)
    }
    assert.equal(new Set(chain).size, 6)
    const untouched = (await other.get('services')).json.token
    const presented = basic(`${chain[2]}:`)
    const logOut = () => send(`${baseUrl}/restapi/v3.2/logout`, { method: 'DELETE', headers: presented })
    assert.equal((await logOut()).status, 202)
    let ran = 0
    for (const token of chain) {
      assert.equal(await statusWith(baseUrl, token), 401)
      ran++
    }
    assert.equal(ran, 6)
    assert.equal((await logOut()).status, 401)
    for (const token of [other.token, untouched]) assert.equal(await statusWith(baseUrl, token), 200)
    const sessions = (await tokensIn(store)).map(({ session }) => session)
    assert.equal(new Set(sessions).size, 1, 'the store keeps those of the other login alone')
  })

  test('are ended by logout while others are being issued', async (t) => {
    const { baseUrl, clock } = await serve(t)
    for (let round = 0; round < 10; round++) {
      const { token, call, get } = await logIn(baseUrl)
      clock.advance(2 * minuteMs)
      const replies = await Promise.all([
        get('services'),
        call('DELETE', 'logout'),
        get('services'),
        get('users'),
      ])
      for (const issued of [token, ...replies.map(({ json }) => json.token)]) {
        if (issued !== undefined) assert.equal(await statusWith(baseUrl, issued), 401)
      }
    }
  })

  test('are ended by logout on another server, too, within a second', async (t) => {
    const one = await serve(t)
    const other = await serveFirewall({ store: one.store, clock: one.clock })
    t.after(() => other.close())
    const { token, call } = await logIn(one.baseUrl)
    one.clock.advance(2 * minuteMs)
    const elsewhere = await send(`${other.baseUrl}/restapi/v3.2/services`, { headers: basic(`${token}:`) })
    const successor: string = elsewhere.json.token
    assert.equal(await statusWith(one.baseUrl, successor), 200)
    assert.equal((await call('DELETE', 'logout')).status, 202)
    for (const each of [token, successor]) assert.equal(await statusWith(one.baseUrl, each), 401)
    one.clock.advance(1_000)
    for (const each of [token, successor]) assert.equal(await statusWith(other.baseUrl, each), 401)
  })

  test('that are known are believed for half a minute when the store gives no answer', async (t) => {
    const { baseUrl, store, clock } = await serve(t)
    const { token } = await logIn(baseUrl)
    assert.equal(await statusWith(baseUrl, token), 200)
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    const blocking = store
      .tables()
      .transaction()
      .execute(async (transaction) => {
        // On SQLite a transaction keeps everybody else waiting.
        if (store.kind === 'postgres') await sql`lock table firewall_token`.execute(transaction)
        await gate
      })
    try {
      await setTimeout(50)
      clock.advance(29_000)
      assert.equal(await statusWith(baseUrl, token), 200)
    } finally {
      release()
      await blocking
    }
    assert.equal(await statusWith(baseUrl, token), 200)
  })

  test('survive a restart, the fresh ones of replies as well', async (t) => {
    const { baseUrl, store } = await serve(t)
    const { token, get } = await logIn(baseUrl)
    const fresh: string = (await get('services')).json.token
    const restarted = await serve(t, { store })
    assert.equal(await statusWith(restarted.baseUrl, token), 200)
    assert.equal(await statusWith(restarted.baseUrl, fresh), 200)
  })

  test('end when a changed password is provisioned, on a server that runs on within seconds', async (t) => {
    const other = { username: 'other', password: 'another secret', role: 'admin' }
    const { baseUrl, store } = await serve(t, { administrators: [administrator, other] })
    const { token } = await logIn(baseUrl)
    const { token: untouched } = await logIn(baseUrl, other)
    const changed = { ...administrator, password: 'a newer secret' }
    const restarted = await serve(t, { store, administrators: [changed] })
    assert.equal(await statusWith(restarted.baseUrl, token), 401)
    assert.equal(await statusWith(restarted.baseUrl, untouched), 200)
    const deadline = Date.now() + 60_000
    while ((await statusWith(baseUrl, token)) !== 401) {
      assert.ok(Date.now() < deadline, 'the other server has not taken over the change')
      await setTimeout(100)
    }
    await logIn(restarted.baseUrl, changed)
    const refused = await send(`${restarted.baseUrl}/restapi/v3.2/login`, {
      method: 'POST',
      body: { username: administrator.username, password: administrator.password },
    })
    assert.equal(refused.status, 401)
  })

  test('stay when the same password is provisioned again, and follow a changed role', async (t) => {
    const { baseUrl, store } = await serve(t)
    const { token, call } = await logIn(baseUrl)
    await call('POST', 'services', { name: 'shop' })
    const restarted = await serve(t, { store, administrators: [{ ...administrator, role: 'guest' }] })
    assert.equal(await statusWith(restarted.baseUrl, token), 200)
    const refused = await send(`${restarted.baseUrl}/restapi/v3/services/shop`, {
      method: 'DELETE',
      headers: basic(`${token}:`),
    })
    assert.equal(refused.status, 403)
  })

  test('are swept out of the store once they have expired', async (t) => {
    const { baseUrl, store, clock } = await serve(t)
    await logIn(baseUrl)
    await logIn(baseUrl)
    clock.advance(20 * minuteMs)
    await logIn(baseUrl)
    assert.equal((await tokensIn(store)).length, 1)
  })
})
