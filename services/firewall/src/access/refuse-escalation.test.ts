import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { catalogue } from '../catalogue/index.ts'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { type LimitedAdministrator, limitedAdministrator } from '../testing/limited-administrator.ts'
import { Permissions } from './permissions.ts'

const administration = ['users:write', 'administrator-roles:write']
const password = 'Enough of a secret 1'
const email = { 'email-address': 'somebody@example.com' }

onEveryStore('an administrator of administrators', (newStore) => {
  let served: ServedService
  let admin: Client
  let limited: LimitedAdministrator
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    admin = await logIn(served.baseUrl)
    limited = await limitedAdministrator(served.baseUrl, admin)
    await limited.allow({ objects: [...administration, 'services:read'], services: ['shop:read'] })
    const owner = { name: 'owner', role: 'admin', password, ...email }
    assert.equal((await admin.call('POST', 'users', owner)).status, 201)
    const colleague = { name: 'colleague', role: limited.role, password, ...email }
    assert.equal((await admin.call('POST', 'users', colleague)).status, 201)
  })
  after(() => served.close())

  const statusOf = async (method: string, path: string, body?: object) =>
    (await limited.call(method, path, body)).status

  test('gives others what his own role allows, and takes it from them', async () => {
    const role = { name: 'reader', 'api-privilege': 'Yes', objects: ['services:read'] }
    assert.equal(await statusOf('POST', 'administrator-roles', role), 201)
    assert.equal(await statusOf('POST', 'users', { name: 'reader', role: 'reader', password, ...email }), 201)
    assert.equal(await statusOf('PUT', 'users/reader', { password: `${password}!` }), 200)
    assert.equal(await statusOf('PUT', 'users/reader', { role: limited.role }), 200)
    assert.equal(await statusOf('DELETE', 'users/reader'), 200)
    assert.equal(
      await statusOf('PUT', 'administrator-roles/reader', { objects: ['services/caching:read'] }),
      200,
    )
    assert.equal(await statusOf('DELETE', 'administrator-roles/reader'), 200)
  })

  test('gives nobody more than that, himself included', async () => {
    for (const role of ['admin', 'guest', 'service-manager']) {
      assert.equal(await statusOf('POST', 'users', { name: 'climber', role, password, ...email }), 403, role)
      assert.equal(await statusOf('PUT', `users/${limited.username}`, { role }), 403, role)
      assert.equal(await statusOf('PUT', 'users/colleague', { role }), 403, role)
    }
    for (const more of [
      { objects: ['_ALL_:write'] },
      { objects: ['services:write'] },
      { objects: ['bonds:read'] },
      { objects: ['services:read'], services: ['_ALL_:read'] },
      { services: ['shop:write'] },
      { operations: ['restore-backup'] },
    ]) {
      const what = JSON.stringify(more)
      const created = { name: 'more', 'api-privilege': 'Yes', ...more }
      assert.equal(await statusOf('POST', 'administrator-roles', created), 403, what)
      assert.equal(await statusOf('PUT', `administrator-roles/${limited.role}`, more), 403, what)
    }
    assert.equal((await admin.get('users/climber')).status, 404)
    assert.equal((await admin.get('administrator-roles/more')).status, 404)
  })

  test('takes nobody over who may do more', async () => {
    assert.equal(await statusOf('PUT', 'users/owner', { password }), 403)
    assert.equal(await statusOf('PUT', 'users/owner', { role: limited.role }), 403)
    assert.equal(await statusOf('PUT', 'users/owner', { name: 'was-owner' }), 403)
    assert.equal(await statusOf('DELETE', 'users/owner'), 403)
    const operator = { name: 'operator', 'api-privilege': 'Yes', operations: ['reboot'] }
    assert.equal((await admin.call('POST', 'administrator-roles', operator)).status, 201)
    assert.equal(await statusOf('PUT', 'administrator-roles/operator', { operations: [] }), 403)
    assert.equal(await statusOf('PUT', 'administrator-roles/operator', { name: 'other' }), 403)
    assert.equal(await statusOf('DELETE', 'administrator-roles/operator'), 403)
  })

  test('gives no such role by way of a directory either', async () => {
    const directory = { name: 'directory', 'server-ip': '192.0.2.7', 'shared-secret': 'a secret' }
    await limited.allow({ objects: [...administration, 'external-radius-services:write'] })
    const withRole = (role: string) =>
      limited.call('POST', 'external-radius-services', { ...directory, 'default-role': role })
    assert.equal((await withRole('admin')).status, 403)
    assert.notEqual((await withRole(limited.role)).status, 403)
  })
})

test('a role that lets its owner give a part of the API away reaches that part itself', () => {
  const everything = compileCatalogue(catalogue)
  let ran = 0
  for (const kind of everything.values()) {
    const [first = ''] = kind.segments
    const part = new Permissions({ objects: [`${kind.segments.join('/')}:write`] })
    for (const name of [first, kind.segments.at(-1)]) {
      const own = new Permissions({ objects: [`${name}:write`] })
      if (!own.covers(part)) continue
      assert.ok(own.mayReachKind(kind, undefined, 'write'), `${name} and ${kind.segments.join('/')}`)
      ran++
    }
  }
  assert.ok(ran >= everything.size)
})
