import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, send } from '@palisade/platform/testing'
import { cookieOf, serveAdministration, type TestAdministration, type TestSession } from '../test-service.ts'

const password = 'correct horse battery'
const anyState = { 'if-match': '*' }

onEveryStore('sessions and API tokens', (newStore) => {
  let served: TestAdministration
  let owner: TestSession
  before(async () => {
    served = await serveAdministration(await newStore())
    owner = await served.logIn(served.owner.username, served.owner.password)
  })
  after(() => served.close())

  async function addOperator(username: string, grants: readonly object[] = []): Promise<TestSession> {
    const { status, text } = await served.as(owner, 'POST', '/operators', {
      body: { username, password, grants },
    })
    assert.equal(status, 201, text)
    return served.logIn(username, password)
  }

  async function addToken(
    session: TestSession,
    username: string,
    grants: readonly object[],
  ): Promise<string> {
    const made = await served.as(session, 'POST', `/operators/${username}/tokens`, {
      body: { name: 'program', grants, lifetimeDays: 1 },
    })
    assert.equal(made.status, 201, made.text)
    return made.json.token
  }

  test('the cookie is for this host alone, over HTTPS, out of reach of scripts and of other sites', async () => {
    const reply = await send(`${served.baseUrl}/session`, { method: 'POST', body: served.owner })
    const [cookie = ''] = reply.headers['set-cookie'] ?? []
    assert.match(
      cookie,
      /^__Host-palisade=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    assert.equal(reply.headers['cache-control'], 'private, no-store')
    assert.doesNotMatch(reply.text, new RegExp(cookieOf(reply).split('=')[1] ?? ''))
  })

  test('nobody knows from the reply whether a name or a password was wrong', async () => {
    const replies = await Promise.all(
      ['admin', 'nobody', '\0'].map((username) =>
        send(`${served.baseUrl}/session`, {
          method: 'POST',
          body: { username, password },
          from: '127.0.0.9',
        }),
      ),
    )
    for (const { status, json } of replies) {
      assert.deepEqual([status, json.detail], [401, 'Username or password is wrong.'])
    }
  })

  test('guessing is refused after thirty failures of an address, also of the right password', async () => {
    const from = '127.0.0.66'
    const attempt = (body: object) => send(`${served.baseUrl}/session`, { method: 'POST', body, from })
    for (let guess = 0; guess < 30; guess++) {
      assert.equal((await attempt({ username: 'admin', password: `guess ${guess}` })).status, 401)
    }
    const refused = await attempt(served.owner)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
  })

  test('a change with a cookie needs the token of its session, from the same origin', async () => {
    const body = { username: 'forged', grants: [] }
    const url = `${served.baseUrl}/operators`
    const other = await addOperator('csrf')
    for (const headers of [
      { cookie: owner.cookie },
      { cookie: owner.cookie, 'x-csrf-token': '' },
      { cookie: owner.cookie, 'x-csrf-token': other.csrfToken },
      { cookie: owner.cookie, 'x-csrf-token': owner.csrfToken, 'sec-fetch-site': 'cross-site' },
      { cookie: owner.cookie, 'x-csrf-token': owner.csrfToken, 'sec-fetch-site': 'same-site' },
    ]) {
      assert.equal((await send(url, { method: 'POST', headers, body })).status, 403, JSON.stringify(headers))
    }
    assert.equal((await served.as(owner, 'GET', '/operators/forged')).status, 404)
  })

  test('a session that an attacker has planted is not taken over by a login', async () => {
    const planted = `__Host-palisade=${'a'.repeat(43)}`
    const reply = await send(`${served.baseUrl}/session`, {
      method: 'POST',
      body: served.owner,
      headers: { cookie: planted },
    })
    assert.notEqual(cookieOf(reply), planted)
    assert.equal((await send(`${served.baseUrl}/session`, { headers: { cookie: planted } })).status, 401)
  })

  test('a session ends by logging out, by being unused, and at its time', async () => {
    const first = await addOperator('ends')
    assert.equal((await served.as(first, 'DELETE', '/session')).status, 204)
    assert.equal((await served.as(first, 'GET', '/session')).status, 401)
    const unused = await served.logIn('ends', password)
    served.clock.advance(119 * 60_000)
    assert.equal((await served.as(unused, 'GET', '/session')).status, 200)
    served.clock.advance(120 * 60_000)
    assert.equal((await served.as(unused, 'GET', '/session')).status, 401)
    const long = await served.logIn('ends', password)
    for (let hour = 1; hour < 12; hour++) {
      served.clock.advance(60 * 60_000)
      assert.equal((await served.as(long, 'GET', '/session')).status, 200)
    }
    served.clock.advance(60 * 60_000)
    assert.equal((await served.as(long, 'GET', '/session')).status, 401)
    owner = await served.logIn(served.owner.username, served.owner.password)
  })

  test('an operator sees and ends his own sessions, and no other one', async () => {
    const mine = await addOperator('mine')
    served.clock.advance(1000)
    const also = await served.logIn('mine', password)
    const listed = await served.as(mine, 'GET', '/operators/mine/sessions')
    assert.equal(listed.json.items.length, 2, listed.text)
    assert.doesNotMatch(listed.text, /digest/)
    const [, { id }] = listed.json.items
    assert.equal(
      (await served.as(mine, 'DELETE', `/operators/mine/sessions/${id}`, { headers: anyState })).status,
      204,
    )
    assert.equal((await served.as(also, 'GET', '/session')).status, 401)
    assert.equal((await served.as(mine, 'GET', '/operators/admin/sessions')).status, 403)
    assert.equal((await served.as(mine, 'GET', '/operators')).status, 403)
  })

  test('a token opens what its own grants and those of its operator both allow', async () => {
    const session = await addOperator('ci', [{ role: 'auditor' }])
    const token = await addToken(session, 'ci', [{ role: 'owner' }])
    assert.match(token, /^palisade_[\w-]{43}$/)
    assert.equal((await served.with(token, 'GET', '/operators')).status, 200)
    assert.equal(
      (await served.with(token, 'POST', '/operators', { body: { username: 'x', grants: [] } })).status,
      403,
    )
    const narrow = await addToken(session, 'ci', [{ role: 'auditor', service: 'email' }])
    assert.equal((await served.with(narrow, 'GET', '/operators')).status, 403)
    const more = { body: { name: 'more', grants: [], lifetimeDays: 1 } }
    assert.equal((await served.with(token, 'POST', '/operators/ci/tokens', more)).status, 403)
    const listed = await served.as(session, 'GET', '/operators/ci/tokens')
    assert.ok(!listed.text.includes(token) && !listed.text.includes('digest'))
  })

  test('a token makes no tokens and changes no second factor, an owner’s neither', async () => {
    const token = await addToken(owner, 'admin', [{ role: 'owner' }])
    const more = { body: { name: 'more', grants: [], lifetimeDays: 1 } }
    assert.equal((await served.with(token, 'POST', '/operators/admin/tokens', more)).status, 403)
    await addOperator('somebody')
    assert.equal((await served.with(token, 'POST', '/operators/somebody/tokens', more)).status, 403)
    assert.equal(
      (await served.with(token, 'POST', '/operators/somebody/totp-remove', { body: {} })).status,
      403,
    )
    assert.equal((await served.as(owner, 'POST', '/operators/somebody/tokens', more)).status, 201)
    const [{ id }] = (await served.with(token, 'GET', '/operators/somebody/tokens')).json.items
    const withdrawn = await served.with(token, 'DELETE', `/operators/somebody/tokens/${id}`, {
      headers: anyState,
    })
    assert.equal(withdrawn.status, 204)
  })

  test('an operator has a hundred tokens at most', async () => {
    const session = await addOperator('collector')
    for (let made = 0; made < 100; made++) await addToken(session, 'collector', [])
    const more = { body: { name: 'more', grants: [], lifetimeDays: 1 } }
    const refused = await served.as(session, 'POST', '/operators/collector/tokens', more)
    assert.equal(refused.status, 409)
    assert.match(refused.json.detail, /remove one first/)
    const [{ id }] = (await served.as(session, 'GET', '/operators/collector/tokens')).json.items
    await served.as(session, 'DELETE', `/operators/collector/tokens/${id}`, { headers: anyState })
    assert.equal((await served.as(session, 'POST', '/operators/collector/tokens', more)).status, 201)
  })

  test('a token withdraws itself and no other one, whatever it may do besides', async () => {
    const session = await addOperator('program', [{ role: 'auditor' }])
    const [token, other] = [await addToken(session, 'program', []), await addToken(session, 'program', [])]
    const { items } = (await served.with(token, 'GET', '/operators/program/tokens')).json
    const withdraw = (id: string) =>
      served.with(token, 'DELETE', `/operators/program/tokens/${id}`, { headers: anyState })
    const idWhere = (isUsed: boolean) =>
      items.find(({ usedAt }: { usedAt: string | null }) => (usedAt !== null) === isUsed).id
    assert.equal((await withdraw(idWhere(false))).status, 403)
    assert.equal((await withdraw(idWhere(true))).status, 204)
    assert.equal((await served.with(token, 'GET', '/session')).status, 401)
    assert.equal((await served.with(other, 'GET', '/session')).status, 200)
  })

  test('a token ends at its time, when it is withdrawn, and with its operator', async () => {
    const session = await addOperator('tokens', [{ role: 'auditor' }])
    const [short, withdrawn, third] = [
      await addToken(session, 'tokens', [{ role: 'auditor' }]),
      await addToken(session, 'tokens', [{ role: 'auditor' }]),
      await addToken(session, 'tokens', [{ role: 'auditor' }]),
    ]
    const { json } = await served.as(session, 'GET', '/operators/tokens/tokens')
    await served.as(session, 'DELETE', `/operators/tokens/tokens/${json.items[1].id}`, { headers: anyState })
    const alive = [short, withdrawn, third]
    const statuses = await Promise.all(
      alive.map(async (token) => (await served.with(token, 'GET', '/session')).status),
    )
    assert.equal(statuses.filter((status) => status === 401).length, 1)
    const disabled = await served.as(owner, 'PATCH', '/operators/tokens', {
      body: { isDisabled: true },
      headers: anyState,
    })
    assert.equal(disabled.status, 200)
    for (const token of alive) assert.equal((await served.with(token, 'GET', '/session')).status, 401)
    assert.equal((await served.as(session, 'GET', '/session')).status, 401)
    await served.as(owner, 'PATCH', '/operators/tokens', { body: { isDisabled: false }, headers: anyState })
    assert.equal(
      (await served.with(third, 'GET', '/session')).status === 200 ||
        (await served.with(short, 'GET', '/session')).status === 200,
      true,
    )
    served.clock.advance(24 * 60 * 60_000)
    for (const token of alive) assert.equal((await served.with(token, 'GET', '/session')).status, 401)
    owner = await served.logIn(served.owner.username, served.owner.password)
    await served.as(owner, 'DELETE', '/operators/tokens', { headers: anyState })
  })

  test('what one server ends has ended on the other', async () => {
    const store = await newStore()
    const one = await serveAdministration(store)
    const two = await serveAdministration(store, { owner: one.owner })
    const session = await one.logIn(one.owner.username, one.owner.password)
    const made = await one.as(session, 'POST', '/operators', {
      body: { username: 'bob', password, grants: [] },
    })
    assert.equal(made.status, 201)
    const bob = await two.logIn('bob', password)
    assert.equal((await two.as(bob, 'GET', '/session')).status, 200)
    await one.as(session, 'DELETE', '/operators/bob', { headers: anyState })
    assert.equal((await two.as(bob, 'GET', '/session')).status, 401)
    await Promise.all([one.close(), two.close()])
  })
})
