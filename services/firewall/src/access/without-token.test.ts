import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openStore, type Store } from '@palisade/platform'
import type { ServedService } from '@palisade/platform/testing'
import { catalogue } from '../catalogue/index.ts'
import { basic, type Client, logIn } from '../testing/client.ts'
import { everyOperation, statusBeforeBody } from '../testing/every-operation.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { type LimitedAdministrator, limitedAdministrator } from '../testing/limited-administrator.ts'

const directory = mkdtempSync(join(tmpdir(), 'palisade-tokens-'))
let store: Store
let served: ServedService
let admin: Client
let limited: LimitedAdministrator
before(async () => {
  store = openStore('embedded', directory)
  served = await serveFirewall({ store })
  admin = await logIn(served.baseUrl)
  limited = await limitedAdministrator(served.baseUrl, admin)
})
after(async () => {
  await served.close()
  await store.close()
  rmSync(directory, { recursive: true })
})

const root = '/restapi/v3.2/'

test('every operation of the description is refused without a token, before its body is read', async () => {
  const operations = everyOperation(served)
  for (const [method, path] of operations) {
    assert.equal(await statusBeforeBody(served, [method, path], {}), 401, `${method} ${path}`)
  }
  assert.ok(operations.length > 600, `${operations.length} operations`)
})

test('every operation is refused to a role that allows nothing, before its body is read', async () => {
  const { authorization } = { authorization: `Basic ${Buffer.from(`${limited.token}:`).toString('base64')}` }
  const operations = everyOperation(served)
  let refused = 0
  for (const [method, path] of operations) {
    const status = await statusBeforeBody(served, [method, path], { authorization })
    assert.equal(status, 403, `${method} ${path}`)
    refused++
  }
  assert.equal(refused, operations.length)
})

test('whatever is done without an object is refused without its operation in the role, all objects or not', async () => {
  await limited.allow({
    objects: ['_ALL_:read'],
    vsites: ['_ALL_:read'],
    services: ['_ALL_:read'],
    'security-policies': ['_ALL_:read'],
    'authentication-services': ['_ALL_:read'],
  })
  const { authorization } = { authorization: `Basic ${Buffer.from(`${limited.token}:`).toString('base64')}` }
  const ofKinds = new Set(catalogue.map(({ path }) => path.split('/')[0]))
  const special = everyOperation(served).filter(([, path]) => !ofKinds.has(path.split('/')[0] ?? ''))
  const reading = new Set<string>()
  for (const [method, path] of special) {
    const status = await statusBeforeBody(served, [method, path], { authorization })
    if (status === 403) continue
    assert.equal(method, 'GET', `${method} ${path} was answered with ${status}`)
    reading.add(path.split('/')[0] ?? '')
  }
  assert.ok(special.length > 20, `${special.length} operations`)
  assert.deepEqual([...reading], ['locked-out-clients'], 'what counts as reading objects')
  await limited.allow({ operations: ['view-audit-logs'] })
  assert.equal((await limited.get('audit-logs')).status, 200)
  for (const log of [
    'access-logs',
    'web-firewall-logs',
    'network-firewall-logs',
    'system-logs',
    'stats/system-stats',
  ]) {
    assert.equal((await limited.get(log)).status, 403, log)
  }
})

test('addresses that lead nowhere say no more without a token than those that lead somewhere', async () => {
  for (const path of [
    'no-such-thing',
    'services/nobody',
    'users/admin/password',
    '__proto__',
    'login/x',
    'logout/x',
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
      assert.equal(await statusBeforeBody(served, [method, path], {}), 401, `${method} ${path}`)
    }
  }
})

/** What ends somebody's rights while he is sending a body, and the status that his request is then answered with. */
const endings: readonly [name: string, end: () => ReturnType<Client['call']>, status: number][] = [
  ['restricted', () => admin.call('PUT', 'administrator-roles/role-of-restricted', { objects: [] }), 403],
  ['locked', () => admin.call('PUT', 'users/locked', { password: 'Another 2 secret' }), 401],
  ['dismissed', () => admin.call('DELETE', 'users/dismissed'), 401],
]

test('who loses his rights while the body of his request is on its way changes nothing any more', async () => {
  for (const [name, end, status] of endings) {
    const slow = await limitedAdministrator(served.baseUrl, admin, name)
    await slow.allow({ objects: ['users:write', 'administrator-roles:write'] })
    assert.equal((await slow.get('users')).status, 200)
    const newcomer = {
      name: `left-by-${name}`,
      role: slow.role,
      password: 'Limited but 1 secret',
      'email-address': 'new@example.com',
    }
    const finish = await beginRequest('POST', 'users', basic(`${slow.token}:`), JSON.stringify(newcomer))
    assert.equal((await end()).status, 200, name)
    assert.equal(await finish(), status, name)
    assert.equal((await admin.get(`users/${newcomer.name}`)).status, 404, name)
  }
})

/**
 * Sends a request but for the end of its body.
 *
 * @returns once the server waits for the body: sends the rest, and gives the status of the answer
 */
async function beginRequest(method: string, path: string, headers: object, body: string) {
  const sent = request(`${served.baseUrl}${root}${path}`, {
    method,
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
      ...headers,
    },
  })
  sent.flushHeaders()
  const reply = once(sent, 'response')
  await once(sent, 'continue')
  sent.write(body.slice(0, 1))
  return async (): Promise<number> => {
    sent.end(body.slice(1))
    const [response] = await reply
    sent.destroy()
    return response.statusCode
  }
}
