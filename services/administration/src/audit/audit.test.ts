import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AdministeredResource, AuditTables, Store } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { Type } from 'typebox'
import { serveAdministration, type TestAdministration, type TestSession } from '../test-service.ts'

/** Things of which a token is given to whoever asks, which is noted once an hour. */
const things: AdministeredResource = {
  path: '/things',
  service: 'firewall',
  idParameter: 'thing',
  noun: { one: 'thing', many: 'things' },
  item: Type.Object(
    { id: Type.String(), managedBy: Type.Null() },
    { title: 'Thing', examples: [{ id: 'one' }] },
  ),
  orders: ['id'],
  list: async () => [],
  read: async (_tables, { thing = '' }) => ({ id: thing, managedBy: null }),
  actions: [
    {
      name: 'token',
      summary: 'Get a token',
      secrets: Type.Object({ token: Type.String() }),
      isNotedHourly: true,
      perform: async () => async () => ({ token: 'a-token' }),
    },
  ],
}

onEveryStore('the audit log', (newStore) => {
  let store: Store
  let served: TestAdministration
  let owner: TestSession
  before(async () => {
    store = await newStore()
    served = await serveAdministration(store, { resources: [things] })
    owner = await served.logIn(served.owner.username, served.owner.password)
  })
  after(() => served.close())

  test('tells who changed what, from where, with what was before and after, and no secret', async () => {
    const body = { username: 'audited', password: 'a very long secret', grants: [] }
    await served.as(owner, 'POST', '/operators', { body, headers: { 'x-request-id': 'deploy-7' } })
    served.clock.advance(1000)
    await served.as(owner, 'PATCH', '/operators/audited', {
      body: { password: 'another long secret', displayName: 'Changed' },
      headers: { 'if-match': '*' },
    })
    served.clock.advance(1000)
    await served.as(owner, 'DELETE', '/operators/audited', { headers: { 'if-match': '*' } })
    const { json, text } = await served.as(owner, 'GET', '/audit?target=/operators/audited')
    assert.deepEqual(
      json.items.map((entry: Record<string, { displayName: string } | null>) => [
        entry.action,
        entry.actorKind,
        entry.actor,
        entry.address,
        entry.before?.displayName ?? null,
        entry.after?.displayName ?? null,
      ]),
      [
        ['createOperator', 'operator', 'admin', '127.0.0.1', null, 'audited'],
        ['updateOperator', 'operator', 'admin', '127.0.0.1', 'audited', 'Changed'],
        ['deleteOperator', 'operator', 'admin', '127.0.0.1', 'Changed', null],
      ],
    )
    assert.doesNotMatch(text, /secret|argon2/)
    const [first, ...others] = json.items.map(({ requestId }: { requestId: string }) => requestId)
    assert.equal(first, 'deploy-7')
    for (const id of others) assert.match(id, /^[0-9a-f]{32}$/)
  })

  test('is searched for a part of who, from where, what or of what, whatever stands in it', async () => {
    const found = async (text: string) => {
      const path = `/audit?${new URLSearchParams({ text, target: '/operators/audited' })}`
      const { status, json } = await served.as(owner, 'GET', path)
      assert.equal(status, 200, text)
      return json.items.map(({ action }: { action: string }) => action)
    }
    const all = ['createOperator', 'updateOperator', 'deleteOperator']
    assert.deepEqual(await found('eteOPER'), ['deleteOperator'])
    for (const text of ['/AUDI', 'dmi', '127.0']) assert.deepEqual(await found(text), all, text)
    for (const text of ['%', '_', '\\', "'", 'admin127', 'admin 127', 'no such'])
      assert.deepEqual(await found(text), [], text)
    const { text } = await served.as(owner, 'GET', '/audit-export?text=eteoper')
    assert.equal(text.trimEnd().split('\n').length, 1)
  })

  test('has once an hour what a caller does again and again from the same address, and changes nothing', async () => {
    const count = async () => {
      const { json } = await served.as(owner, 'GET', '/audit?action=tokenOfThing')
      return json.items.length
    }
    const ask = (session = owner) => served.as(session, 'POST', '/things/one/token')
    for (let time = 0; time < 3; time++) assert.equal((await ask()).json.token, 'a-token')
    assert.equal(await count(), 1)
    await served.as(owner, 'POST', '/operators', {
      body: { username: 'other', password: 'a very long secret', grants: [{ role: 'owner' }] },
    })
    await ask(await served.logIn('other', 'a very long secret'))
    assert.equal(await count(), 2, 'somebody else is told of')
    served.clock.advance(61 * 60_000)
    await ask()
    await ask()
    assert.equal(await count(), 3)
    await served.as(owner, 'POST', '/things/two/token')
    assert.equal(await count(), 4, 'and another thing is, too')
  })

  test('what is refused leaves no entry', async () => {
    await served.as(owner, 'PATCH', '/operators/admin', {
      body: { displayName: 'x' },
      headers: { 'if-match': '"no"' },
    })
    const { json } = await served.as(owner, 'GET', '/audit?target=/operators/admin')
    assert.deepEqual(json.items, [])
  })

  test('the database itself refuses to change or delete an entry', async () => {
    const db = store.tables<AuditTables>()
    await assert.rejects(db.updateTable('audit_entry').set({ actor: 'nobody' }).execute(), /never changed/)
    await assert.rejects(db.deleteFrom('audit_entry').execute(), /never changed/)
    const { json } = await served.as(owner, 'GET', '/audit?action=createOperator&target=/operators/audited')
    assert.equal(json.items.length, 1)
    assert.equal(json.items[0].actor, 'admin')
  })

  test('is exported as lines of JSON, all entries once, oldest first', async () => {
    const rows = Array.from({ length: 2500 }, (_, index) => ({
      id: `x${String(index).padStart(5, '0')}`,
      at: index,
      actor_kind: 'system',
      actor: 'test',
      address: null,
      service: 'many',
      action: 'count',
      target: '/',
      before: null,
      after: null,
    }))
    for (const start of [0, 500, 1000, 1500, 2000]) {
      await store
        .tables<AuditTables>()
        .insertInto('audit_entry')
        .values(rows.slice(start, start + 500))
        .execute()
    }
    const { status, headers, text } = await served.as(owner, 'GET', '/audit-export?service=many')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/x-ndjson')
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id)
    assert.deepEqual(
      ids,
      rows.map(({ id }) => id),
    )
    assert.equal((await served.as(owner, 'GET', '/audit-export?from=yesterday')).status, 400)
  })
})
