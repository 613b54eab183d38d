import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AdministeredService } from '@palisade/administration/testing'
import { migrate, type Store } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { awarenessMigrations } from '../migrations.ts'
import { configuration, credentials, serveAwareness, type TestService } from '../test-service.ts'

onEveryStore('API keys of awareness', (newStore) => {
  let store: Store
  let awareness: AdministeredService<TestService>
  before(async () => {
    store = await newStore()
    awareness = await AdministeredService.serve(store, '/awareness', await serveAwareness(store))
  })
  after(() => awareness.close())

  const statusWith = async (api_key: string, from = '127.0.0.1') =>
    (await awareness.service.authenticate({ ...credentials, api_key }, { from })).status

  test('a new key opens what it is for until it is deleted, and is in one reply only', async () => {
    const body = { name: 'platform', username: 'api@example.org', allowedAddresses: ['127.0.0.0/30'] }
    const created = await awareness.send('POST', '/api-keys', body)
    assert.equal(created.status, 201, created.text)
    const { key, ...account } = created.json
    assert.match(key, /^[\w-]{43}$/)
    assert.deepEqual(account, { id: account.id, ...body, managedBy: null })
    assert.equal(await statusWith(key), 200)
    assert.equal(await statusWith(key, '127.0.0.9'), 401)
    const path = `/api-keys/${account.id}`
    const one = await awareness.send('GET', path)
    assert.deepEqual(one.json, account)

    const change = { name: 'other', username: 'powerless@example.org' }
    const changed = await awareness.send('PATCH', path, change, { 'if-match': one.headers.etag ?? '' })
    assert.deepEqual(changed.json, { ...account, ...change })
    assert.equal(await statusWith(key), 401)
    const stale = await awareness.send('PATCH', path, change, { 'if-match': one.headers.etag ?? '' })
    assert.equal(stale.status, 412)
    const open = { username: null, allowedAddresses: [] }
    assert.equal((await awareness.send('PATCH', path, open)).status, 200)
    assert.equal(await statusWith(key, '127.0.0.9'), 200)

    const preview = await awareness.send('DELETE', `${path}?preview=true`)
    assert.equal(preview.json.losses.length, 1)
    assert.equal(await statusWith(key), 200)
    assert.equal((await awareness.send('DELETE', path)).status, 204)
    assert.equal(await statusWith(key), 401)
    assert.equal((await awareness.send('GET', path)).status, 404)

    const audit = await awareness.administration.as(awareness.owner, 'GET', '/audit?limit=1000')
    assert.match(audit.text, /createAwarenessAPIKey/)
    const tables = JSON.stringify(
      await store
        .tables<Record<string, Record<string, unknown>>>()
        .selectFrom('awareness_api_key')
        .selectAll()
        .execute(),
    )
    for (const text of [one.text, changed.text, audit.text, tables]) assert.ok(!text.includes(key))
  })

  test('what makes no sense is refused with the member at fault', async () => {
    const wrong: readonly [object, string][] = [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'nul\0' }, 'name'],
      [{ name: 'x'.repeat(256) }, 'name'],
      [{ name: 'x', username: 'nobody' }, 'username'],
      [{ name: 'x', allowedAddresses: ['127.0.0.1', 'localhost'] }, 'allowedAddresses.1'],
      [{ name: 'x', allowedAddresses: ['192.0.2.0/33'] }, 'allowedAddresses.0'],
      [{ name: 'x', key: 'own' }, 'key'],
    ]
    for (const [body, parameter] of wrong) {
      const { status, json } = await awareness.send('POST', '/api-keys', body)
      assert.deepEqual([status, json.parameter], [400, parameter], JSON.stringify([body, json]))
    }
    assert.equal((await awareness.send('GET', '/api-keys/nothing')).status, 404)
  })

  test('a listing is in the order of names, of all keys or of those of one user', async () => {
    for (const name of ['page b', 'page B', 'page a']) {
      await awareness.send('POST', '/api-keys', { name, username: 'powerless@example.org' })
    }
    const names = async (query: string) => {
      const { json } = await awareness.send('GET', `/api-keys?${query}`)
      return json.items.map(({ name }: { name: string }) => name)
    }
    assert.deepEqual(await names('name=page&order=-name'), ['page b', 'page a', 'page B'])
    assert.deepEqual(await names('username=powerless@example.org'), ['page B', 'page a', 'page b'])
    assert.equal((await names('')).length, configuration.apiKeys.length + 3)
  })

  test('a file manages the keys that it has, and names them where it likes', async () => {
    const store = await newStore()
    const [key] = configuration.apiKeys
    assert.ok(key)
    const first = await serveAwareness(store, {
      configurationFile: 'palisade.yaml',
      configuration: { apiKeys: [{ ...key, name: 'of the file' }, ...configuration.apiKeys.slice(1)] },
    })
    await first.close()
    const again = await AdministeredService.serve(
      store,
      '/awareness',
      await serveAwareness(store, { configurationFile: 'palisade.yaml', configuration: { apiKeys: [key] } }),
    )
    const { json } = await again.send('GET', '/api-keys?order=-name')
    const [firstItem, ...others] = json.items
    assert.deepEqual([firstItem.name, firstItem.managedBy], ['of the file', 'palisade.yaml'])
    assert.equal(others.length, 2)
    for (const other of others) {
      assert.match(other.name, /^key [0-9a-f]{8}$/)
      assert.equal(other.managedBy, null)
    }
    assert.equal((await again.send('DELETE', `/api-keys/${firstItem.id}`)).status, 409)
    assert.equal((await again.send('DELETE', `/api-keys/${others[0].id}`)).status, 204)
    await again.close()
  })

  test('keys of the version before get an id and a name, and open what they did', async () => {
    const store = await newStore()
    const { '0005-administration': _, ...before } = awarenessMigrations
    await migrate(store, 'awareness', before)
    const old = store.tables<Record<string, Record<string, string | null>>>()
    for (const digest of ['one', 'two']) {
      await old
        .insertInto('awareness_api_key')
        .values({ digest, username: null, allowed_addresses: '[]' })
        .execute()
    }
    const upgraded = await AdministeredService.serve(store, '/awareness', await serveAwareness(store))
    const { json } = await upgraded.send('GET', '/api-keys')
    const ids = new Set(json.items.map(({ id }: { id: string }) => id))
    assert.equal(ids.size, configuration.apiKeys.length + 2)
    for (const { id, name } of json.items) assert.equal(name, `key ${id.slice(0, 8)}`)
    await upgraded.close()
  })
})
