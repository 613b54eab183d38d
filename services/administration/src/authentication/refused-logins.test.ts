import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exampleOf } from '@palisade/platform'
import { onEveryStore, send } from '@palisade/platform/testing'
import { Assertion } from '../passkeys/passkey-schemas.ts'
import { serveAdministration, type TestAdministration, type TestSession } from '../test-service.ts'

const password = 'correct horse battery'
const minuteMs = 60_000
const wrong = 'Username or password is wrong.'

onEveryStore('refused logins in the audit log', (newStore) => {
  let served: TestAdministration
  let owner: TestSession
  before(async () => {
    served = await serveAdministration(await newStore())
    owner = await served.logIn(served.owner.username, served.owner.password)
    for (const username of ['ada', 'gone']) {
      const body = { username, password, grants: [] }
      assert.equal((await served.as(owner, 'POST', '/operators', { body })).status, 201)
    }
    const change = { body: { isDisabled: true }, headers: { 'if-match': '*' } }
    assert.equal((await served.as(owner, 'PATCH', '/operators/gone', change)).status, 200)
  })
  after(() => served.close())

  const logIn = (from: string, username: string, given = 'not the password') =>
    send(`${served.baseUrl}/session`, { method: 'POST', from, body: { username, password: given } })

  /** Target, reason and count of each entry from an address, sorted. */
  async function entriesOf(address: string, action = 'refuseLogIn') {
    const { json, text } = await served.as(owner, 'GET', `/audit?action=${action}&limit=1000`)
    const entries = json.items.filter((entry: { address: string }) => entry.address === address)
    for (const { actorKind, actor, before } of entries) {
      if (action === 'refuseLogIn') assert.deepEqual([actorKind, actor, before], ['anonymous', '', null])
    }
    assert.doesNotMatch(text, /not the password/)
    const shown = entries.map(
      ({ target, after }: { target: string; after: { reason: string; count: number } }) =>
        `${target}: ${after.reason} ${after.count}`,
    )
    return shown.sort()
  }

  test('tell who was tried, from where and why, as soon as the caller is answered', async () => {
    const from = '127.0.7.1'
    assert.equal((await logIn(from, 'ada')).status, 401)
    assert.equal((await logIn(from, 'gone', password)).status, 401)
    assert.deepEqual(await entriesOf(from), [
      `/operators/ada: ${wrong} 1`,
      '/operators/gone: The operator is disabled. 1',
    ])
    assert.equal((await logIn(from, 'ada', password)).status, 201)
    assert.equal((await entriesOf(from)).length, 2)
  })

  test('tell nothing of a name that no operator has: it may be a password', async () => {
    const from = '127.0.7.2'
    for (const name of ['hunter2-hunter2', 'Hunter2-hunter2', '\0']) await logIn(from, name)
    assert.deepEqual(await entriesOf(from), [`/session: ${wrong} 1`])
    const { text } = await served.as(owner, 'GET', '/audit-export')
    assert.doesNotMatch(text, /hunter2/i)
  })

  test('a flood is one entry a minute for each address and operator, with how many there were', async () => {
    const from = '127.0.7.3'
    for (let attempt = 0; attempt < 40; attempt++) await logIn(from, 'ada')
    const tooMany = 'Too many failed authentications from this address. Wait and try again.'
    const first = [`/operators/ada: ${wrong} 1`, `/session: ${tooMany} 1`]
    assert.deepEqual(await entriesOf(from), first)
    served.clock.advance(minuteMs)
    await logIn(from, 'ada')
    assert.deepEqual(await entriesOf(from), [
      `/operators/ada: ${wrong} 1`,
      `/operators/ada: ${wrong} 29`,
      `/session: ${tooMany} 1`,
      `/session: ${tooMany} 1`,
      `/session: ${tooMany} 9`,
    ])
  })

  test('of a session are those of its operator', async () => {
    const from = '127.0.7.4'
    const session = await served.logIn('ada', password)
    const { status } = await send(`${served.baseUrl}/operators/ada/password`, {
      method: 'POST',
      from,
      headers: { cookie: session.cookie, 'x-csrf-token': session.csrfToken },
      body: { currentPassword: 'not the password', newPassword: 'a better battery staple' },
    })
    assert.equal(status, 400)
    assert.deepEqual(await entriesOf(from, 'refuseConfirmation'), [
      '/operators/ada: The current password is wrong. 1',
    ])
  })

  test('from very many addresses at once are no more entries than can be read', async () => {
    served.clock.advance(minuteMs)
    const total = async () =>
      (await served.as(owner, 'GET', '/audit?action=refuseLogIn&limit=1000')).json.items.length
    const before = await total()
    const url = `${served.baseUrl}/session/passkey`
    const body = { credential: exampleOf(Assertion) }
    for (let address = 1; address <= 240; address++) {
      const { status } = await send(url, { method: 'POST', from: `127.0.8.${address}`, body })
      assert.equal(status, 401)
    }
    assert.equal((await entriesOf('127.0.8.1')).length, 1)
    assert.equal((await total()) - before, 201)
    served.clock.advance(minuteMs)
    await send(url, { method: 'POST', from: '127.0.9.1', body })
    const { items } = (await served.as(owner, 'GET', '/audit?action=refuseLogIn&limit=1000')).json
    const together = items.filter(({ address }: { address: string | null }) => address === null)
    assert.deepEqual(together.map(({ after }: { after: { count: number } }) => after.count).sort(), [1, 39])
  })

  test('are counted to the end when the server stops', async () => {
    const from = '127.0.7.5'
    served.clock.advance(minuteMs)
    const store = await newStore()
    const other = await serveAdministration(store)
    const body = { username: 'admin', password: 'not the password' }
    for (let attempt = 0; attempt < 3; attempt++) {
      await send(`${other.baseUrl}/session`, { method: 'POST', from, body })
    }
    await other.close()
    const again = await serveAdministration(store, { owner: other.owner })
    try {
      const session = await again.logIn(other.owner.username, other.owner.password)
      const { items } = (await again.as(session, 'GET', '/audit?action=refuseLogIn')).json
      assert.deepEqual(items.map(({ after }: { after: { count: number } }) => after.count).sort(), [1, 2])
    } finally {
      await again.close()
    }
  })
})
