import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('a name', (newStore) => {
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
    for (const [method, path, body] of [
      ['POST', 'services', { name: 'shop', 'ip-address': '192.0.2.1' }],
      ['POST', 'radius-services', { name: 'staff' }],
      ['PUT', 'services/shop/authentication', { 'authentication-service': 'staff' }],
      ['POST', 'bonds', { name: 'uplink', 'bond-ports': ['LAN', 'WAN'] }],
    ] as const) {
      const { status, text } = await client.call(method, path, body)
      assert.ok(status < 300, text)
    }
  })
  after(() => served.close())

  test('is taken for all kinds that one reference looks among, so that what is named stays what it is', async () => {
    const { status, json } = await client.call('POST', 'ldap-services', { name: 'staff' })
    assert.equal(status, 406)
    assert.match(json.msg, /duplicate value not allowed, there is already a radius-auth\S+ "staff"/)
    assert.equal((await client.call('DELETE', 'radius-services/staff')).json.error.type, 'in-use')
  })

  test('that is taken so cannot be had by getting another name', async () => {
    const { status, json } = await client.call('PUT', 'bonds/uplink', { name: 'LAN' })
    assert.equal(status, 406)
    assert.match(json.msg, /already a network-interface "LAN"/)
  })

  test('that is taken so is not taken by an import either', async () => {
    const { json } = await client.call('POST', 'ops/export-configuration', { 'backup-type': 'full' })
    const document = json.data
    document.objects['ldap-authentication-service'] = [{ path: ['staff'], members: {} }]
    const imported = await client.call('POST', 'ops/import-configuration', { 'json-file-content': document })
    assert.equal(imported.status, 406)
    assert.match(imported.json.msg, /ldap-auth\S+ "staff": .* already a radius-auth\S+ "staff"/)
    assert.equal((await client.get('ldap-services/staff')).status, 404)
  })

  test('is none that references take as a word, in any case: the service would be left without its pool', async () => {
    const { call, get } = client
    await call('POST', 'rate-control-pools', { name: 'pool' })
    await call('PUT', 'services/shop/basic-security', { 'rate-control-pool': 'pool' })
    for (const name of ['NONE', 'none']) {
      for (const { status, json } of [
        await call('POST', 'rate-control-pools', { name }),
        await call('PUT', 'rate-control-pools/pool', { name }),
      ]) {
        assert.equal(status, 406)
        assert.match(json.msg, /name must not be a word that rate-control-pool takes in the place of a name/)
      }
    }
    const { json } = await get('services/shop/basic-security?parameters=rate-control-pool')
    assert.deepEqual(json.data.shop, { 'Basic Security': { 'rate-control-pool': 'pool' } })
  })

  test('has to be one to which an address leads, in an import as well', async () => {
    const { json } = await client.call('POST', 'ops/export-configuration', { 'backup-type': 'full' })
    const document = json.data
    for (const name of ['..', 'mine ']) {
      document.objects['url-profile'] = [{ path: ['shop', name], members: { url: '/mine' } }]
      const imported = await client.call('POST', 'ops/import-configuration', {
        'json-file-content': document,
      })
      assert.equal(imported.status, 406)
      assert.match(imported.json.msg, /no address leads there/)
    }
  })
})
