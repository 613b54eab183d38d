import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

const password = 'Enough of a secret 1'
const owners = { name: 'owners', 'api-privilege': 'Yes', objects: ['_ALL_:write'] }
const email = { 'email-address': 'somebody@example.com' }

onEveryStore('the last administrator who may change everything', (newStore) => {
  async function serve(t: TestContext): Promise<Client & { baseUrl: string }> {
    const served = await serveFirewall({ store: await newStore() })
    t.after(() => served.close())
    return { ...(await logIn(served.baseUrl)), baseUrl: served.baseUrl }
  }

  /** Replaces the administrator of the configuration file by one whose role is not the factory's. */
  async function onlyOwner(t: TestContext): Promise<Client> {
    const { call, baseUrl } = await serve(t)
    assert.equal((await call('POST', 'administrator-roles', owners)).status, 201)
    assert.equal(
      (await call('POST', 'users', { name: 'owner', role: 'owners', password, ...email })).status,
      201,
    )
    const owner = await logIn(baseUrl, { username: 'owner', password })
    assert.equal((await owner.call('DELETE', 'users/admin')).status, 200)
    return owner
  }

  test('is neither deleted nor given another role, and can be renamed', async (t) => {
    const { call, baseUrl } = await serve(t)
    const deleted = await call('DELETE', 'users/admin')
    assert.deepEqual([deleted.status, deleted.json.error.type], [400, 'has-to-stay'])
    const demoted = await call('PUT', 'users/admin', { role: 'guest' })
    assert.equal(demoted.status, 406)
    assert.match(demoted.json.msg, /last administrator who may change everything/)
    assert.equal((await call('PUT', 'users/admin', { name: 'root' })).status, 200)
    const { call: asRoot } = await logIn(baseUrl, { username: 'root', password: 'a long enough secret' })
    assert.equal((await asRoot('DELETE', 'users/root')).status, 400)
  })

  test('is not made less by what becomes of the role', async (t) => {
    const { call } = await onlyOwner(t)
    for (const less of [
      { objects: ['_ALL_:read'] },
      { objects: [] },
      { objects: '' },
      { 'api-privilege': 'No' },
    ]) {
      const { status, json } = await call('PUT', 'administrator-roles/owners', less)
      assert.equal(status, 406, JSON.stringify(less))
      assert.match(json.msg, /nobody else may change everything/)
    }
    assert.equal((await call('DELETE', 'administrator-roles/owners')).status, 400)
    assert.equal(
      (await call('PUT', 'administrator-roles/admin', { objects: [] })).status,
      400,
      'the factory role',
    )
    assert.equal((await call('PUT', 'administrator-roles/owners', { name: 'holders' })).status, 200)
    assert.equal((await call('GET', 'users/owner')).json.data.owner.role, 'holders')
    assert.equal((await call('PUT', 'administrator-roles/holders', { objects: [] })).status, 406)
  })

  test('stays when two of them take each other away at once', async (t) => {
    const { call } = await serve(t)
    for (let round = 0; round < 5; round++) {
      const { status } = await call('POST', 'users', { name: 'second', role: 'admin', password, ...email })
      assert.equal(status, 201)
      const statuses = await Promise.all([
        call('DELETE', 'users/second'),
        call('PUT', 'users/admin', { role: 'guest' }),
        call('PUT', 'users/second', { role: 'guest' }),
      ]).then((replies) => replies.map((reply) => reply.status))
      const { data } = (await call('GET', 'users')).json
      const roles = Object.values(data as Record<string, { role: string }>).map(({ role }) => role)
      assert.ok(roles.includes('admin'), `${statuses} left ${roles}`)
      await restore(call)
    }
  })

  test('stays when two servers are asked at once', async (t) => {
    const store = await newStore()
    const one = await serveFirewall({ store })
    const other = await serveFirewall({ store })
    t.after(() => Promise.all([one.close(), other.close()]))
    const clients = [await logIn(one.baseUrl), await logIn(other.baseUrl)] as const
    const [{ call }] = clients
    assert.equal(
      (await call('POST', 'users', { name: 'second', role: 'admin', password, ...email })).status,
      201,
    )
    await Promise.all([
      clients[0].call('DELETE', 'users/second'),
      clients[1].call('PUT', 'users/admin', { role: 'guest' }),
    ])
    const { data } = (await call('GET', 'users')).json
    const roles = Object.values(data as Record<string, { role: string }>).map(({ role }) => role)
    assert.ok(roles.includes('admin'), `${roles}`)
  })

  /** Whoever was left gives the other the role back. */
  async function restore(call: Client['call']): Promise<void> {
    if ((await call('GET', 'users/second')).status !== 200) return
    assert.equal((await call('DELETE', 'users/second')).status, 200)
  }
})
