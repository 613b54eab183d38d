import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('the configuration as JSON', (newStore) => {
  let store: Store
  let served: ServedService
  let client: Client
  beforeEach(async () => {
    store = await newStore()
    served = await serveFirewall({ store })
    client = await logIn(served.baseUrl)
    await created('services', { name: 'shop', 'ip-address': '192.0.2.1', port: 8080 })
    await created('services/shop/servers', { name: 'one', 'ip-address': '192.0.2.7', port: 80 })
    await created('ldap-services', { name: 'staff' })
    await created('ldap-services/staff/ldap-servers', ldapServer)
  })
  afterEach(() => served.close())

  const ldapServer = {
    'ip-address': '192.0.2.20',
    'bind-dn': 'cn=waf',
    'bind-password': 'a bind secret',
    'base-dn': 'dc=example',
  }

  async function created(path: string, body: object): Promise<void> {
    const { status, text } = await client.call('POST', path, body)
    assert.equal(status, 201, text)
  }
  const exported = async () => {
    const { status, json, text } = await client.call('POST', 'ops/export-configuration', {
      'backup-type': 'full',
    })
    assert.equal(status, 200, text)
    return json.data
  }
  const imported = (document: unknown, more: object = {}) =>
    client.call('POST', 'ops/import-configuration', { 'json-file-content': document, ...more })
  const version = async () => (await exported())['configuration-version']

  test('an export holds what differs from defaults, and no secrets', async () => {
    const document = await exported()
    assert.equal(document.format, 'palisade-firewall-configuration')
    assert.deepEqual(document.administrators, [{ name: 'admin', role: 'admin' }])
    assert.equal(document.objects.user, undefined)
    const [shop, ...others] = document.objects.service
    assert.deepEqual(others, [])
    assert.deepEqual(shop.path, ['shop'])
    assert.equal(shop.members.port, 8080)
    assert.equal(shop.members.name, undefined)
    assert.ok(!JSON.stringify(document).includes('a bind secret'))
    assert.match(document.objects['ldap-domain-server'][0].members['bind-password'], /^sealed:/)
  })

  test('importing what was exported changes nothing, and makes no version', async () => {
    const document = await exported()
    const { status, json } = await imported(document)
    assert.deepEqual([status, json.msg], [200, 'Nothing had to be changed.'])
    assert.equal(await version(), document['configuration-version'])
  })

  test('a test tells what would change, and a restore changes it: added, changed, removed', async () => {
    const document = await exported()
    await client.call('DELETE', 'services/shop')
    await created('services', { name: 'office', 'ip-address': '192.0.2.2', port: 80 })
    await client.call('PUT', 'vsites/default', { comments: 'another' })
    const before = await version()

    const trial = await imported(document, { operation: 'Test' })
    assert.equal(trial.status, 200, trial.text)
    assert.match(trial.json.msg, /nothing was changed/)
    assert.equal(await version(), before)
    assert.equal((await client.get('services/shop')).status, 404)

    const { status, json } = await imported(document, { operation: 'restore' })
    assert.equal(status, 200)
    assert.deepEqual(json.data, trial.json.data)
    assert.deepEqual(json.data.added, [
      { kind: 'service', path: ['shop'] },
      { kind: 'server', path: ['shop', 'one'] },
    ])
    assert.deepEqual(json.data.removed, [{ kind: 'service', path: ['office'] }])
    assert.deepEqual(json.data.changed, [
      { kind: 'vsite', path: ['default'], changes: [{ member: 'comments', old: 'another', new: '' }] },
    ])
    assert.equal((await client.get('services/office')).status, 404)
    assert.equal((await client.get('services/shop/servers/one')).json.data.one['ip-address'], '192.0.2.7')
    assert.equal(await version(), before + 1)
  })

  test('the document is taken as an object, as text, and as base64 of the text', async () => {
    const text = JSON.stringify(await exported())
    for (const content of [JSON.parse(text), text, Buffer.from(text).toString('base64')]) {
      assert.equal((await imported(content)).status, 200)
    }
    for (const content of ['', 'no document', [], 7, Buffer.from('{"half').toString('base64')]) {
      const { status, json } = await imported(content)
      assert.deepEqual([status, json.error.type], [406, 'not-acceptable'], String(content))
    }
    const { status, json } = await imported(text.replace('"format-version"', '"objects":{},"format-version"'))
    assert.equal(status, 406)
    assert.match(json.msg, /json-file-content .*"objects" is given more than once/)
  })

  test('a document of another format version is refused, whatever stands there', async () => {
    const text = JSON.stringify(await exported())
    for (const version of ['2', '"1"', 'null', `${'['.repeat(20_000)}${']'.repeat(20_000)}`]) {
      const { status, json } = await imported(
        text.replace('"format-version":1', `"format-version":${version}`),
      )
      assert.equal(status, 406, json.msg)
      assert.match(json.msg, /format-version must be 1/)
    }
  })

  test('the document that its description shows is taken, with a password in the place of the sealed one', async () => {
    const description = new URL('../../../../docs/formats/firewall-configuration.md', import.meta.url)
    const [, example = ''] = /```json\n(.*?)```/s.exec(readFileSync(description, 'utf8')) ?? []
    const { status, text } = await imported(example.replace('sealed:1:…', 'a bind secret'))
    assert.equal(status, 200, text)
    assert.equal((await client.get('services/shop')).json.data.shop.port, '8080')
  })

  test('secrets come back after they were changed, and are told hidden', async () => {
    const document = await exported()
    await client.call('PUT', 'ldap-services/staff/ldap-servers/192.0.2.20', { 'bind-password': 'another' })
    const { json, text } = await imported(document)
    assert.deepEqual(json.data.changed[0].changes, [
      { member: 'bind-password', old: '(hidden)', new: '(hidden)' },
    ])
    assert.ok(!text.includes('another') && !text.includes('a bind secret'))
    assert.equal((await imported(document)).json.msg, 'Nothing had to be changed.')
  })

  test('a secret that was sealed for one object is not opened for another', async () => {
    const document = await exported()
    const [server] = document.objects['ldap-domain-server']
    document.objects['ldap-domain-server'].push({ ...server, path: ['staff', '203.0.113.9'] })
    const { status, json } = await imported(document)
    assert.equal(status, 406)
    assert.match(json.msg, /bind-password of the ldap-domain-server "staff\/203\.0\.113\.9"/)
  })

  test('every fault of a document is told, and nothing of it is taken', async () => {
    const document = await exported()
    const before = await version()
    const [shop] = document.objects.service
    document.objects.service = [
      shop,
      {
        path: ['bad'],
        members: { port: 70_000, group: 'nowhere', colour: 'red', 'ip-address': '192.0.2.9' },
      },
      { path: ['bad'], members: {} },
      { path: [], members: {} },
    ]
    document.objects.server.push({ path: ['ghost', 'one'], members: { 'ip-address': '192.0.2.9' } })
    document.objects.dragon = [{ path: ['x'], members: {} }]
    document.objects.user = [{ path: ['eve'], members: { role: 'admin', password: 'x' } }]
    const { status, json } = await imported(document)
    assert.equal(status, 406)
    for (const fault of [
      /service "bad": The member port must be an integer/,
      /"colour" is not a member/,
      /service "bad" twice/,
      /Each entry of objects\.service/,
      /the kind "dragon"/,
      /Administrators are not imported/,
    ]) {
      assert.match(json.msg, fault)
    }
    assert.equal(await version(), before)
    document.objects.service = [
      shop,
      { path: ['bad'], members: { group: 'nowhere', 'ip-address': '192.0.2.9' } },
    ]
    delete document.objects.dragon
    delete document.objects.user
    assert.match(
      (await imported(document)).json.msg,
      /server "ghost\/one" lies in an object that is not there/,
    )
    document.objects.server.pop()
    assert.match((await imported(document)).json.msg, /group must be the name of a service-group/)
  })

  test('an object that others name cannot be left out', async () => {
    await created('rate-control-pools', { name: 'pool' })
    await client.call('PUT', 'services/shop/basic-security', { 'rate-control-pool': 'pool' })
    const used = (await client.get('services/shop/basic-security')).json.data.shop['Basic Security']
    assert.equal(used['rate-control-pool'], 'pool')
    const document = await exported()
    delete document.objects['rate-control-pool']
    const { status, json } = await imported(document)
    assert.equal(status, 406)
    assert.match(json.msg, /service "shop" names "pool" in its member rate-control-pool, which would be gone/)
  })

  test('the factory’s objects stay, and a document that leaves them out gives them their first content', async () => {
    const document = await exported()
    await client.call('PUT', 'vsites/default', { comments: 'changed' })
    await imported(document)
    assert.equal((await client.get('vsites/default')).json.data.default.comments, '')
  })

  test('of a certificate that an import cannot have made, nothing is taken; of an exported one, all', async () => {
    await created('self-signed-certificate', {
      name: 'own',
      'common-name': 'shop.example',
      'country-code': 'US',
      'key-size': '2048',
    })
    const document = await exported()
    assert.ok(!JSON.stringify(document).includes('PRIVATE KEY'))
    const certificate = (await client.get('self-signed-certificate/own')).json.data.own
    await client.call('DELETE', 'self-signed-certificate/own')
    assert.equal((await imported(document)).status, 200)
    assert.deepEqual((await client.get('self-signed-certificate/own')).json.data.own, certificate)
    document.objects['self-signed-certificate'].push({
      path: ['made-up'],
      members: { 'common-name': 'x.example' },
    })
    const { status, json } = await imported(document)
    assert.equal(status, 406)
    assert.match(json.msg, /self-signed-certificate "made-up": it is taken only as it was exported/)
  })

  test('a new policy brings what lies in every policy', async () => {
    await created('security-policies', { name: 'tight' })
    const document = await exported()
    await client.call('DELETE', 'security-policies/tight')
    const { json } = await imported(document)
    assert.deepEqual(json.data.added, [{ kind: 'security-policy', path: ['tight'] }])
    const actions = await client.get('security-policies/tight/action-policies')
    assert.ok(Object.keys(actions.json.data).length > 100)
    assert.equal((await imported(document)).json.msg, 'Nothing had to be changed.')
  })

  test('neither a removed administrator nor an old password comes back', async () => {
    const eve = { name: 'eve', 'email-address': 'e@example.com', role: 'admin', password: 'old password 1' }
    await created('users', eve)
    await created('users', { ...eve, name: 'bob' })
    const document = await exported()
    await client.call('DELETE', 'users/eve')
    await client.call('PUT', 'users/bob', { password: 'new password 2' })
    assert.equal((await imported(document)).status, 200)
    assert.equal((await client.get('users/eve')).status, 404)
    await assert.doesNotReject(async () => {
      const { json } = await client.get('users')
      assert.deepEqual(Object.keys(json.data), ['admin', 'bob'])
    })
    const bob = await logIn(served.baseUrl, { username: 'bob', password: 'new password 2' })
    assert.equal((await bob.get('services')).status, 200)
  })

  test('an import has one entry in the record of changes', async () => {
    const document = await exported()
    await client.call('DELETE', 'services/shop')
    const before = Object.keys((await client.get('audit-logs?limit=1000')).json.data).length
    await imported(document)
    const entries = Object.values<Record<string, string>>(
      (await client.get('audit-logs?limit=1000')).json.data,
    )
    assert.equal(entries.length, before + 1)
    const [newest] = entries
    assert.equal(newest?.['transaction-type'], 'Restore')
    assert.match(newest?.['new-value'] ?? '', /added service "shop", added server "shop\/one"/)
  })

  test('the configuration is the same after a restart', async () => {
    const document = await exported()
    await client.call('DELETE', 'services/shop')
    await client.call('DELETE', 'ldap-services/staff')
    await imported(document)
    await served.close()
    served = await serveFirewall({ store })
    client = await logIn(served.baseUrl)
    assert.equal((await imported(document)).json.msg, 'Nothing had to be changed.')
  })

  test('another installation names the secrets that it cannot open, and takes the rest when asked to', async () => {
    const document = await exported()
    await served.close()
    served = await serveFirewall({ store: await newStore(), key: Buffer.alloc(32, 8) })
    client = await logIn(served.baseUrl)
    const refused = await imported(document)
    assert.equal(refused.status, 406)
    assert.match(
      refused.json.msg,
      /Sealed: the bind-password of the ldap-domain-server "staff\/192\.0\.2\.20"/,
    )
    assert.equal((await client.get('services/shop')).status, 404)
    const reply = await imported(document, { 'skip-sealed-secrets': 'Yes' })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.json.data['left out'], [
      'bind-password of the ldap-domain-server "staff/192.0.2.20"',
    ])
    assert.equal((await client.get('services/shop')).status, 200)
  })

  test('the private key of a certificate stays here, whatever is written beside it', async () => {
    const certificate = {
      name: 'made',
      'common-name': 'shop.example',
      'country-code': 'DE',
      'key-type': 'ECDSA',
    }
    await created('certificates/self-signed-certificate', certificate)
    const document = await exported()
    const [selfSigned] = document.objects['self-signed-certificate']
    assert.equal(selfSigned.members['allow-private-key-export'], undefined)
    selfSigned.members['allow-private-key-export'] = 'Yes'
    for (const more of [{}, { 'skip-sealed-secrets': 'Yes' }]) {
      const reply = await imported(document, more)
      assert.equal(reply.status, 406, reply.text)
      assert.match(reply.json.msg, /made.*allow-private-key-export|Sealed: the private-key of the/)
    }
    assert.equal((await client.call('DELETE', 'certificates/self-signed-certificate/made')).status, 200)
    assert.equal((await imported(document)).status, 406)
    await imported(document, { 'skip-sealed-secrets': 'Yes' })
    selfSigned.members['allow-private-key-export'] = 'No'
    const back = await imported(document)
    assert.equal(back.status, 200, back.text)
  })

  test('a sealed password does not follow its server to another address', async () => {
    const document = await exported()
    const text = JSON.stringify(document).replaceAll('192.0.2.20', '203.0.113.66')
    assert.match((await imported(JSON.parse(text))).json.msg, /Sealed: the bind-password/)
    const [server] = document.objects['ldap-domain-server']
    server.members.port = 1389
    for (const more of [{}, { 'skip-sealed-secrets': 'Yes' }]) {
      const reply = await imported(document, more)
      assert.equal(reply.status, 406, reply.text)
    }
    server.members['bind-password'] = 'another secret'
    assert.equal((await imported(document)).status, 200)
  })

  test('only who may restore imports, and only what he might change by ordinary requests', async () => {
    const role = {
      'api-privilege': 'Yes',
      objects: ['services:write', 'vsites:read'],
      services: ['_ALL_:write'],
    }
    await created('administrator-roles', { name: 'reader', ...role })
    await created('administrator-roles', {
      name: 'restorer',
      ...role,
      operations: ['restore-backup', 'backup'],
    })
    for (const name of ['reader', 'restorer']) {
      const user = { name, 'email-address': 'e@example.com', role: name, password: 'a long password 1' }
      await created('users', user)
    }
    const document = await exported()
    await client.call('PUT', 'services/shop', { comments: 'changed' })
    await client.call('PUT', 'vsites/default', { comments: 'changed' })
    const asReader = await logIn(served.baseUrl, { username: 'reader', password: 'a long password 1' })
    for (const [method, path] of [
      ['POST', 'ops/export-configuration'],
      ['POST', 'ops/import-configuration'],
      ['GET', 'ops/running-tasks'],
      ['GET', 'configuration-checkpoints'],
    ] as const) {
      assert.equal((await asReader.call(method, path, method === 'GET' ? undefined : {})).status, 403, path)
    }
    const asRestorer = await logIn(served.baseUrl, { username: 'restorer', password: 'a long password 1' })
    const content = (value: unknown) => ({ 'json-file-content': value })
    const refused = await asRestorer.call('POST', 'ops/import-configuration', content(document))
    assert.equal(refused.status, 403, refused.text)
    assert.match(refused.json.msg, /vsite "default"/)
    assert.equal((await client.get('services/shop')).json.data.shop.comments, 'changed')
    document.objects.vsite = [{ path: ['default'], members: { interface: 'WAN', comments: 'changed' } }]
    assert.equal((await asRestorer.call('POST', 'ops/import-configuration', content(document))).status, 200)
    assert.equal((await client.get('services/shop')).json.data.shop.comments, '')
    const [own] = document.objects['administrator-role'].filter(
      ({ path }: { path: string[] }) => path[0] === 'restorer',
    )
    own.members.objects = ['_ALL_:write']
    const escalated = await asRestorer.call('POST', 'ops/import-configuration', content(document))
    assert.equal(escalated.status, 403, escalated.text)
  })

  test('a job tells what becomes of an import in the background', async () => {
    const document = await exported()
    await client.call('DELETE', 'services/shop')
    const { status, json } = await imported(document, { 'run-in-background': 'Yes' })
    assert.equal(status, 200)
    let job = { state: 'running', messages: [''], administrator: '' }
    while (job.state === 'running') {
      const tasks = await client.get(`ops/running-tasks?job_id=${json.job_id}`)
      assert.equal(tasks.status, 200)
      job = tasks.json.data[json.job_id]
    }
    assert.deepEqual([job.state, job.administrator], ['succeeded', 'admin'])
    assert.deepEqual(job.messages, ['Configuration updated: 2 objects.'])
    assert.equal((await client.get('services/shop')).status, 200)
    assert.deepEqual(Object.keys((await client.get('ops/running-tasks')).json.data), [json.job_id])
    assert.equal((await client.get('ops/running-tasks?job_id=nobody')).status, 404)
  })

  test('a partial export holds what changed since a checkpoint, and changes nothing else', async () => {
    await created('configuration-checkpoints', { name: 'start' })
    await client.call('PUT', 'services/shop', { comments: 'newer' })
    await client.call('DELETE', 'services/shop/servers/one')
    await created('services', { name: 'office', 'ip-address': '192.0.2.2', port: 80 })
    const { json } = await client.call('POST', 'ops/export-configuration', {
      'backup-type': 'partial',
      name: 'start',
    })
    const { scope, since, objects, removed } = json.data
    assert.deepEqual([scope, since, removed], ['partial', 'start', { server: [['shop', 'one']] }])
    assert.deepEqual(Object.keys(objects), ['service'])
    await client.call('POST', 'configuration-checkpoints/start/rollback', {})
    await created('services', { name: 'later', 'ip-address': '192.0.2.3', port: 80 })
    assert.equal((await imported(json.data)).status, 200)
    assert.equal((await client.get('services/shop')).json.data.shop.comments, 'newer')
    assert.equal((await client.get('services/shop/servers/one')).status, 404)
    for (const name of ['office', 'later']) assert.equal((await client.get(`services/${name}`)).status, 200)
  })
})
