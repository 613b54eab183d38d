import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

/**
 * One conversation; each line's reply is golden/{name}.json. Add a case by adding a line, then write its file with
 *   GOLDEN=write node --conditions=source --test src/rest/replies.test.ts
 * and read what was written.
 */
const conversation: [name: string, method: string, path: string, body?: unknown][] = [
  ['list-of-nothing', 'GET', 'services'],
  ['create', 'POST', 'services', { name: 'shop', 'ip-address': '192.0.2.1', comments: 'ä"\\' }],
  ['create-another', 'POST', 'services', { name: 'blog', type: 'https', port: '8443' }],
  ['create-duplicate', 'POST', 'services', { name: 'shop' }],
  [
    'create-with-every-fault',
    'POST',
    'services',
    { port: 0, 'ip-address': 'here', vsite: 'no', type: 'x', y: 1 },
  ],
  ['list', 'GET', 'services'],
  ['list-one-page', 'GET', 'services?offset=1&limit=1'],
  ['list-page-past-the-end', 'GET', 'services?offset=2'],
  ['list-plain-members', 'GET', 'services?groups=Service'],
  ['list-sections', 'GET', 'services?groups=URL%20Encryption,Mask%20Sensitive%20Data'],
  ['list-parameters', 'GET', 'services?parameters=name,ip-address,port,status'],
  ['list-unknown-group', 'GET', 'services?groups=Nothing'],
  ['read', 'GET', 'services/shop'],
  ['read-one-parameter', 'GET', 'services/shop?groups=Service&parameters=port'],
  ['read-missing', 'GET', 'services/nobody'],
  ['update', 'PUT', 'services/shop', { status: 'Off' }],
  ['update-nothing', 'PUT', 'services/shop', {}],
  ['update-refused', 'PUT', 'services/shop', { 'address-version': 'IPv6', group: 'other' }],
  ['update-not-an-object', 'PUT', 'services/shop', [1]],
  ['update-broken-json', 'PUT', 'services/shop', '{"status":'],
  ['section', 'GET', 'services/shop/slow-client-attack'],
  ['section-one-parameter', 'GET', 'services/shop/slow-client-attack?parameters=status'],
  ['section-update', 'PUT', 'services/shop/slow_client_attack', { status: 'on' }],
  ['section-missing-parent', 'GET', 'services/nobody/slow-client-attack'],
  ['vsites', 'GET', 'vsites'],
  ['nested-list', 'GET', 'vsites/default/service-groups'],
  ['nested-list-missing-parent', 'GET', 'vsites/nobody/service-groups'],
  ['nested-read', 'GET', 'vsites/default/service-groups/default'],
  ['nested-inside-parent', 'GET', 'vsites?groups=Vsite,Group'],
  ['delete-factory-object-in-use', 'DELETE', 'vsites/default/service-groups/default'],
  ['create-policy', 'POST', 'security-policies', { name: 'tight' }],
  ['use-policy', 'PUT', 'services/shop/basic-security', { 'web-firewall-policy': 'tight' }],
  ['delete-in-use', 'DELETE', 'security-policies/tight'],
  ['delete', 'DELETE', 'services/shop'],
  ['delete-missing', 'DELETE', 'services/shop'],
  ['delete-another', 'DELETE', 'services/blog'],
  ['delete-factory-object', 'DELETE', 'vsites/default'],
  ['rename-factory-object', 'PUT', 'vsites/default', { name: 'other' }],
  ['wrong-method', 'POST', 'services/blog', {}],
  ['no-such-address', 'GET', 'nothing/at/all'],
  ['logout', 'DELETE', 'logout'],
  ['after-logout', 'GET', 'services'],
]

const fileOf = (name: string) => new URL(`golden/${name}.json`, import.meta.url)

onEveryStore('replies', (newStore) => {
  test('are those of the golden files, apart from their tokens', async (t) => {
    const { baseUrl, close } = await serveFirewall({ store: await newStore() })
    t.after(close)
    const { call } = await logIn(baseUrl)
    let compared = 0
    for (const [name, method, path, body] of conversation) {
      const { status, json } = await call(method, path, body)
      if ('token' in json) {
        assert.equal(Object.keys(json).at(-1), 'token', name)
        assert.match(json.token, /^([A-Za-z0-9+/]{76}\n)+[A-Za-z0-9+/]+=*\n$/)
        json.token = 'a fresh one'
      }
      const reply = { request: `${method} ${path}`, status, reply: json }
      if (process.env.GOLDEN === 'write') {
        writeFileSync(fileOf(name), `${JSON.stringify(reply, null, 2)}\n`)
      }
      assert.deepEqual(reply, JSON.parse(readFileSync(fileOf(name), 'utf8')), name)
      compared++
    }
    assert.equal(compared, readdirSync(new URL('golden', import.meta.url)).length)
  })
})
