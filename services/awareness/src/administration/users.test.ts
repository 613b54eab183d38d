import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AdministeredService } from '@palisade/administration/testing'
import type { Store } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { configuration, credentials, serveAwareness, type TestService } from '../test-service.ts'

const password = 'correct horse battery'
const campaigns = ['campaigns']

onEveryStore('users of awareness', (newStore) => {
  let store: Store
  let awareness: AdministeredService<TestService>
  before(async () => {
    store = await newStore()
    awareness = await AdministeredService.serve(store, '/awareness', await serveAwareness(store))
  })
  after(() => awareness.close())

  const logIn = (username: string, bof_ticket_pw = password) =>
    awareness.service.authenticate({ ...credentials, bof_ticket_user: username, bof_ticket_pw })
  const create = async (username: string, permissions: readonly string[] = campaigns) => {
    const { status, text } = await awareness.send('POST', '/users', { username, password, permissions })
    assert.equal(status, 201, text)
  }
  const statusWith = async (token: string) => (await awareness.service.get('/campaigns', token)).status

  test('a new user logs in, and his password is shown nowhere', async () => {
    const created = await awareness.send('POST', '/users', {
      username: 'new@example.org',
      password,
      permissions: campaigns,
    })
    assert.equal(created.status, 201, created.text)
    assert.equal(created.headers.location, '/admin/v1/awareness/users/new%40example.org')
    assert.deepEqual(created.json, { username: 'new@example.org', permissions: campaigns, managedBy: null })
    const { status, json } = await logIn('new@example.org')
    assert.equal(status, 200)
    assert.equal(await statusWith(json.data.access_token), 200)
    const one = await awareness.send('GET', '/users/new@example.org')
    assert.deepEqual(one.json, created.json)
    const all = await awareness.send('GET', '/users?username=new')
    assert.deepEqual(all.json, { items: [created.json], next: null })
    const audit = await awareness.administration.as(awareness.owner, 'GET', '/audit?limit=1000')
    assert.match(audit.text, /createAwarenessUser/)
    for (const { text } of [created, one, all, audit]) assert.doesNotMatch(text, /battery|argon2/)
  })

  test('another password ends all tokens of the user, and other members none', async () => {
    await create('changing')
    const { json } = await logIn('changing')
    const { access_token: token } = json.data
    const other = { permissions: ['campaigns', 'results'] }
    assert.equal((await awareness.send('PATCH', '/users/changing', other)).status, 200)
    assert.equal(await statusWith(token), 200)
    const { headers } = await awareness.send('GET', '/users/changing')
    const stale = await awareness.send('PATCH', '/users/changing', other, { 'if-match': '"other"' })
    assert.equal(stale.status, 412)
    const changed = await awareness.send(
      'PATCH',
      '/users/changing',
      { password: 'another horse' },
      { 'if-match': headers.etag ?? '' },
    )
    assert.equal(changed.status, 200, changed.text)
    assert.equal(await statusWith(token), 401)
    assert.equal((await logIn('changing')).status, 401)
    assert.equal((await logIn('changing', 'another horse')).status, 200)
    assert.equal((await awareness.send('PATCH', '/users/changing', { permissions: [] })).status, 200)
    const fresh = await logIn('changing', 'another horse')
    assert.equal(await statusWith(fresh.json.data.access_token), 403)
  })

  test('a deleted user is let in no more, and what is lost is told before', async () => {
    await create('leaving')
    const { json } = await logIn('leaving')
    await awareness.send('POST', '/api-keys', { name: 'bound', username: 'leaving' })
    const preview = await awareness.send('DELETE', '/users/leaving?preview=true')
    assert.deepEqual(preview.json, { losses: ['1 access token', 'the use of 1 API key of this user alone'] })
    assert.equal((await awareness.send('DELETE', '/users/leaving')).status, 204)
    assert.equal(await statusWith(json.data.access_token), 401)
    assert.equal((await logIn('leaving')).status, 401)
    assert.equal((await awareness.send('GET', '/users/leaving')).status, 404)
  })

  test('what makes no sense is refused with the member at fault', async () => {
    const user = { username: 'wrong', password }
    const wrong: readonly [object, string][] = [
      [{ ...user, username: '' }, 'username'],
      [{ ...user, username: 'a b' }, 'username'],
      [{ ...user, username: 'nul\0' }, 'username'],
      [{ ...user, username: '..' }, 'username'],
      [{ ...user, username: 'x'.repeat(256) }, 'username'],
      [{ ...user, password: 'sevench' }, 'password'],
      [{ ...user, password: 'x'.repeat(1025) }, 'password'],
      [{ ...user, permissions: ['all'] }, 'permissions.0'],
      [{ username: 'wrong' }, 'password'],
      [{ ...user, more: 1 }, 'more'],
    ]
    for (const [body, parameter] of wrong) {
      const { status, json } = await awareness.send('POST', '/users', body)
      assert.deepEqual([status, json.parameter], [400, parameter], JSON.stringify([body, json]))
    }
    await create('twice')
    const twice = await awareness.send('POST', '/users', { ...user, username: 'twice' })
    assert.deepEqual([twice.status, twice.json.parameter], [409, 'username'])
    for (const path of ['/users/nobody', '/users/%00']) {
      assert.equal((await awareness.send('GET', path)).status, 404)
      assert.equal((await awareness.send('PATCH', path, { password })).status, 404)
    }
  })

  test('who may not change awareness changes nothing of it', async () => {
    await create('bystander')
    for (const [grants, reading] of [
      [[{ role: 'auditor', service: 'awareness' }], 200],
      [[{ role: 'operator', service: 'email' }], 403],
    ] as const) {
      const session = await awareness.operator(...grants)
      const statusOf = async (method: string, path: string, sent?: unknown) =>
        (await awareness.sendAs(session, method, path, sent)).status
      for (const path of ['/users', '/users/bystander', '/api-keys', '/campaigns']) {
        assert.equal(await statusOf('GET', path), reading, path)
      }
      assert.equal(await statusOf('POST', '/users', { username: 'x', password }), 403)
      assert.equal(await statusOf('PATCH', '/users/bystander', { password }), 403)
      assert.equal(await statusOf('DELETE', '/users/bystander'), 403)
      assert.equal(await statusOf('POST', '/api-keys', { name: 'x' }), 403)
      assert.equal(await statusOf('POST', '/campaigns', { name: 'x' }), 403)
    }
    const session = await awareness.operator({ role: 'operator', service: 'awareness' })
    assert.equal((await awareness.sendAs(session, 'DELETE', '/users/bystander')).status, 204)
  })

  test('a file manages the users that it names, until it names them no more', async () => {
    const store = await newStore()
    const configurationFile = 'palisade.yaml'
    const first = await AdministeredService.serve(
      store,
      '/awareness',
      await serveAwareness(store, { configurationFile }),
    )
    const path = '/users/api@example.org'
    for (const [method, body] of [
      ['PATCH', { password }],
      ['DELETE', undefined],
    ] as const) {
      const { status, json } = await first.send(method, path, body)
      assert.equal(status, 409)
      assert.match(json.detail, /is managed by palisade\.yaml/)
    }
    await first.close()
    const second = await AdministeredService.serve(
      store,
      '/awareness',
      await serveAwareness(store, {
        configurationFile,
        configuration: { users: configuration.users.slice(1) },
      }),
      first.administration.owner,
    )
    assert.equal((await second.send('GET', path)).json.managedBy, null)
    assert.equal((await second.send('GET', '/users/powerless@example.org')).json.managedBy, configurationFile)
    assert.equal((await second.send('DELETE', path)).status, 204)
    await second.close()
  })
})
