import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { serveAdministration, type TestAdministration, type TestSession } from '../test-service.ts'

const password = 'correct horse battery'

onEveryStore('operators', (newStore) => {
  let served: TestAdministration
  let owner: TestSession
  before(async () => {
    served = await serveAdministration(await newStore())
    owner = await served.logIn(served.owner.username, served.owner.password)
  })
  after(() => served.close())

  test('the first start makes one owner, who finds himself among the operators', async () => {
    const { status, json } = await served.as(owner, 'GET', '/operators')
    assert.equal(status, 200)
    assert.equal(json.next, null)
    assert.deepEqual(
      json.items.map(({ username, grants, hasPassword, managedBy }: Record<string, unknown>) => ({
        username,
        grants,
        hasPassword,
        managedBy,
      })),
      [{ username: 'admin', grants: [{ role: 'owner' }], hasPassword: true, managedBy: null }],
    )
  })

  test('an operator is added, read, changed with If-Match and deleted', async () => {
    const created = await served.as(owner, 'POST', '/operators', {
      body: { username: 'ada', password, displayName: 'Ada', grants: [{ role: 'auditor' }] },
    })
    assert.equal(created.status, 201, created.text)
    assert.equal(created.headers.location, '/admin/v1/operators/ada')
    assert.doesNotMatch(created.text, /argon2|battery/)
    const read = await served.as(owner, 'GET', '/operators/ada')
    assert.deepEqual(read.json, created.json)
    const etag = read.headers.etag ?? ''
    assert.equal(etag, created.headers.etag)

    const change = { body: { grants: [{ role: 'operator', service: 'backup', account: 'main' }] } }
    assert.equal((await served.as(owner, 'PATCH', '/operators/ada', change)).status, 428)
    const stale = await served.as(owner, 'PATCH', '/operators/ada', {
      ...change,
      headers: { 'if-match': '"other"' },
    })
    assert.equal(stale.status, 412)
    const changed = await served.as(owner, 'PATCH', '/operators/ada', {
      ...change,
      headers: { 'if-match': etag },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.json.grants, change.body.grants)
    assert.notEqual(changed.headers.etag, etag)
    assert.equal(
      (await served.as(owner, 'PATCH', '/operators/ada', { ...change, headers: { 'if-match': etag } }))
        .status,
      412,
    )

    const preview = await served.as(owner, 'DELETE', '/operators/ada?preview=true')
    assert.deepEqual(preview.json, { losses: ['the sessions and API tokens of the operator'] })
    assert.equal((await served.as(owner, 'GET', '/operators/ada')).status, 200)
    const gone = await served.as(owner, 'DELETE', '/operators/ada', {
      headers: { 'if-match': changed.headers.etag ?? '' },
    })
    assert.equal(gone.status, 204)
    assert.equal((await served.as(owner, 'GET', '/operators/ada')).status, 404)
  })

  test('whoever has a grant for one account reads who he is, and no other operator', async () => {
    const grants = [{ role: 'operator', service: 'backup', account: 'main' }]
    await served.as(owner, 'POST', '/operators', { body: { username: 'bob', password, grants } })
    const bob = await served.logIn('bob', password)
    const own = await served.as(bob, 'GET', '/operators/bob')
    assert.deepEqual([own.status, own.json.grants], [200, grants], own.text)
    assert.equal((await served.as(bob, 'GET', '/operators/admin')).status, 403)
    assert.equal((await served.as(bob, 'GET', '/operators')).status, 403)
    const headers = { 'if-match': own.headers.etag ?? '' }
    const body = { grants: [{ role: 'owner' }] }
    assert.equal((await served.as(bob, 'PATCH', '/operators/bob', { body, headers })).status, 403)
    assert.equal((await served.as(bob, 'DELETE', '/operators/bob', { headers })).status, 403)
    await served.as(owner, 'DELETE', '/operators/bob', { headers: { 'if-match': '*' } })
  })

  test('of many changes at the same moment with one ETag, one is made', async () => {
    await served.as(owner, 'POST', '/operators', { body: { username: 'race', grants: [] } })
    const { headers } = await served.as(owner, 'GET', '/operators/race')
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        served.as(owner, 'PATCH', '/operators/race', {
          body: { displayName: `name ${index}` },
          headers: { 'if-match': headers.etag ?? '' },
        }),
      ),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412, 412, 412, 412, 412, 412, 412])
  })

  test('the last owner stays one: he is not deleted, disabled or degraded', async () => {
    const anyState = { 'if-match': '*' }
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { isDisabled: true }],
      ['PATCH', { grants: [{ role: 'operator' }] }],
    ] as const) {
      const refused = await served.as(owner, method, '/operators/admin', {
        ...(body && { body }),
        headers: anyState,
      })
      assert.equal(refused.status, 409, refused.text)
      assert.equal(refused.json.detail, 'He is the last owner who can log in: make another one first.')
    }
    assert.equal((await served.as(owner, 'GET', '/session')).status, 200)
  })

  test('what makes no sense is refused with the member at fault', async () => {
    const wrong: readonly [object, string][] = [
      [{ username: 'a b', grants: [] }, 'username'],
      [{ username: 'short', password: 'elevenchars', grants: [] }, 'password'],
      [{ username: 'x', grants: [{ role: 'king' }] }, 'grants.0.role'],
      [{ username: 'x', grants: [{ role: 'owner', service: 'email' }] }, 'grants'],
      [{ username: 'x', grants: [{ role: 'operator', account: '1' }] }, 'grants'],
      [{ username: 'x', grants: [{ role: 'operator', service: 'firewall', account: '1' }] }, 'grants'],
      [{ username: 'x', displayName: 'nul\0', grants: [] }, 'displayName'],
      [{ username: 'x' }, 'grants'],
      [{ username: 'x', grants: [], more: 1 }, 'more'],
    ]
    for (const [body, parameter] of wrong) {
      const { status, json } = await served.as(owner, 'POST', '/operators', { body })
      assert.deepEqual([status, json.parameter], [400, parameter], JSON.stringify([body, json]))
    }
    const twice = await served.as(owner, 'POST', '/operators', { body: { username: 'admin', grants: [] } })
    assert.deepEqual([twice.status, twice.json.parameter], [409, 'username'])
    for (const path of ['/operators/nobody', '/operators/%00', '/operators/nobody/tokens/1']) {
      assert.equal((await served.as(owner, 'GET', path)).status, 404, path)
    }
  })

  test('a listing has pages in either order, and refuses parameters that it does not have', async () => {
    for (const index of [1, 2, 3, 4, 5]) {
      const body = { username: `page-${index}`, grants: [] }
      assert.equal((await served.as(owner, 'POST', '/operators', { body })).status, 201)
    }
    const names: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const after = next === '' ? '' : `&after=${next}`
      const page = await served.as(owner, 'GET', `/operators?username=page-&order=-username&limit=2${after}`)
      assert.equal(page.status, 200, page.text)
      names.push(...page.json.items.map((item: { username: string }) => item.username))
      next = page.json.next
    }
    assert.deepEqual(names, ['page-5', 'page-4', 'page-3', 'page-2', 'page-1'])
    for (const [query, parameter] of [
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['order=grants', 'order'],
      ['after=x', 'after'],
      ['after=W10', 'after'],
      ['color=red', 'color'],
      ['limit=1&limit=2', 'limit'],
      ['username=%00', 'username'],
    ]) {
      const { status, json } = await served.as(owner, 'GET', `/operators?${query}`)
      assert.deepEqual([status, json.parameter], [400, parameter], query)
    }
  })

  test('a file manages the operators that it names, until it names them no more', async () => {
    const store = await newStore()
    const named = { username: 'ops', password, grants: [{ role: 'owner' as const }] }
    const first = await serveAdministration(store, {
      configuration: { operators: [named] },
      configurationFile: 'palisade.yaml',
      owner: named,
    })
    const session = await first.logIn('ops', password)
    const refused = await first.as(session, 'PATCH', '/operators/ops', {
      body: { displayName: 'other' },
      headers: { 'if-match': '*' },
    })
    assert.equal(refused.status, 409)
    assert.match(refused.json.detail, /managed by palisade\.yaml/)
    await first.close()
    const second = await serveAdministration(store, { owner: named })
    const kept = await second.as(await second.logIn('ops', password), 'GET', '/operators/ops')
    assert.equal(kept.json.managedBy, null)
    await second.close()
  })
})
