import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { everywhere, limitedAdministrator } from '../testing/limited-administrator.ts'

/** A list as devices with this API export it. */
const ofDevice = {
  config: [
    {
      operation: 'EDIT',
      type: 'client-profile',
      description: 'Clients that are known to be bad wait longer.',
      payload: { 'client-profile': 'Yes', 'high-risk-score': '80', 'medium-risk-score': '60' },
      parent: '/restapi/v3/security-policies/default',
    },
  ],
  Metadata: { description: 'the risk of clients', version: '10.1' },
}

const shop = [
  {
    operation: 'CREATE',
    type: 'services',
    payload: {
      name: 'shop',
      'ip-address': '192.0.2.1',
      port: '443',
      type: 'HTTPS',
      certificate: 'shop-cert',
    },
    parent: '/restapi/v3.2',
  },
  {
    operation: 'ADD',
    type: 'servers',
    payload: { name: 'one', ip_address: '192.0.2.7', port: 80 },
    parent: '/restapi/v3.2/services/shop',
  },
  {
    operation: 'EDIT',
    type: 'basic-security',
    payload: { mode: 'Active' },
    parent: '/restapi/v3.2/services/shop',
  },
]

const certificate = {
  operation: 'CREATE',
  type: 'self-signed-certificate',
  payload: { name: 'shop-cert', 'common-name': 'shop.example', 'country-code': 'DE', 'key-type': 'ECDSA' },
  parent: '/restapi/v3.2/certificates',
}

onEveryStore('a list of operations', (newStore) => {
  let served: ServedService
  let client: Client
  beforeEach(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
  })
  afterEach(() => served.close())

  const imported = (document: unknown, operation?: string) =>
    client.call('POST', 'ops/import-configuration', {
      'json-file-content': Buffer.from(JSON.stringify(document)).toString('base64'),
      ...(operation === undefined ? {} : { operation }),
    })
  const exported = async (more: object = { 'backup-type': 'full' }) => {
    const body = { 'document-form': 'operations', ...more }
    const { status, json, text } = await client.call('POST', 'ops/export-configuration', body)
    assert.equal(status, 200, text)
    return json.data
  }
  const created = async (path: string, body: object) => {
    const { status, text } = await client.call('POST', path, body)
    assert.equal(status, 201, text)
  }
  const sectionOf = async (path: string, name: string, title: string) =>
    (await client.get(path)).json.data[name][title]

  test('of a device is validated, which changes nothing, and then restored', async () => {
    const address = 'security-policies/default/client-profile'
    const profile = () => sectionOf(address, 'default', 'Client Profile')
    const before = await profile()
    const validated = await imported(ofDevice, 'Validate')
    assert.equal(validated.status, 200, validated.text)
    assert.equal(validated.json.msg, 'This would change 1 object; nothing was changed.')
    assert.deepEqual(await profile(), before)

    const { status, json, text } = await imported(ofDevice)
    assert.equal(status, 200, text)
    assert.deepEqual(json.data, validated.json.data)
    assert.equal(json.data.changed[0].changes[0].section, 'Client Profile')
    const { 'client-profile': on, 'high-risk-score': high } = await profile()
    assert.deepEqual([on, high], ['Yes', '80'])
    assert.equal((await imported(ofDevice)).json.msg, 'Nothing had to be changed.')
  })

  test('does what its requests would do one after the other, in one change with one entry in the audit log', async () => {
    await created('services', { name: 'old', 'ip-address': '192.0.2.9', port: 80 })
    const config = [
      certificate,
      ...shop,
      { operation: 'edit', type: 'services', payload: { name: 'old', comments: 'goes' }, parent: '' },
      { operation: 'DELETE', type: 'services', payload: { name: 'old' }, parent: 'restapi/v3/' },
    ]
    const auditLog = async () => Object.keys((await client.get('audit-logs?limit=1000')).json.data)
    const before = await auditLog()
    const { status, text } = await imported({ config, Metadata: {} })
    assert.equal(status, 200, text)
    const after = await auditLog()
    assert.equal(after.length, before.length + 1)
    const { shop: service } = (await client.get('services/shop')).json.data
    // What the creation of a service with a certificate does by itself.
    assert.deepEqual([service['SSL Security'].status, service['app-id']], ['On', 'shop'])
    assert.equal(service['Basic Security'].mode, 'Active')
    assert.equal(service.Server.data.one['ip-address'], '192.0.2.7')
    assert.equal((await client.get('services/old')).status, 404)
    const checkpoints = (await client.get('configuration-checkpoints')).json.data
    assert.equal(Object.keys(checkpoints).length, 1, 'the state before it was kept')
  })

  test('is refused as a whole, with the fault of each operation by its number', async () => {
    const wrong: [entry: unknown, told: string][] = [
      [certificate, ''],
      ['services', ': it must be an object.'],
      [{ ...shop[0], operation: 'REPLACE' }, ': the member operation must be CREATE, EDIT or DELETE.'],
      [{ ...shop[0], operation: 'toString' }, ': the member operation must be CREATE, EDIT or DELETE.'],
      [{ ...shop[0], type: 7 }, ': the member type must be text.'],
      [{ ...shop[0], parent: [[[]]] }, ': the member parent must be the address around it.'],
      [{ ...shop[0], payload: [] }, ': the member payload must be an object.'],
      [{ ...shop[0], type: 'shops' }, ': the members parent and type must make an address of this API.'],
      [{ ...shop[0], parent: '/restapi/v3/%zz' }, ': The address is not encoded correctly.'],
      [{ ...shop[0], operation: 'EDIT', payload: { port: 80 } }, ': the payload must have the member name.'],
      [{ ...shop[1] }, ': There is no service "shop".'],
      [{ ...shop[0], operation: 'DELETE' }, ': There is no service "shop".'],
      [
        { ...shop[0], payload: { name: 'x', port: 0, colour: 'red' } },
        ': The member port must be an integer from 1 to 65535. "colour" is not a member of Service.',
      ],
      [{ ...certificate, operation: 'CREATE' }, 'duplicate value not allowed'],
      [
        { operation: 'DELETE', type: 'dns', payload: {}, parent: '/restapi/v3/system' },
        ': DELETE is not possible there.',
      ],
      [
        { operation: 'DELETE', type: 'vsites', payload: { name: 'default' }, parent: '/restapi/v3' },
        'belongs to the factory configuration',
      ],
      [
        {
          operation: 'CREATE',
          type: 'users',
          payload: { name: 'eve', role: 'admin' },
          parent: '/restapi/v3',
        },
        ': administrators are not imported',
      ],
      [
        { operation: 'EDIT', type: 'system', payload: { serial: '1' }, parent: '/restapi/v3' },
        ': The member serial is read-only.',
      ],
    ]
    const { status, json } = await imported({ config: wrong.map(([entry]) => entry), Metadata: {} })
    assert.equal(status, 406)
    const faults = json.msg.split(/(?=Operation \d+)/).map((fault: string) => fault.trim())
    const expected = wrong.flatMap(([, sentence], index) =>
      sentence === '' ? [] : [[index + 1, sentence] as const],
    )
    assert.equal(faults.length, expected.length, json.msg)
    for (const [index, [number, sentence]] of expected.entries()) {
      const fault = faults[index] ?? ''
      assert.ok(fault.startsWith(`Operation ${number}`) && fault.includes(sentence), `${number}: ${fault}`)
    }
    assert.equal((await client.get('certificates/self-signed-certificate/shop-cert')).status, 404)
  })

  test('may do only what the administrator might do by ordinary requests', async () => {
    await created('services', { name: 'shop', 'ip-address': '192.0.2.1', port: 80 })
    await created('services', { name: 'office', 'ip-address': '192.0.2.2', port: 80 })
    const admin = client
    const limited = await limitedAdministrator(served.baseUrl, admin)
    client = limited
    const edit = (name: string) => ({
      config: [
        { operation: 'EDIT', type: 'services', payload: { name, comments: 'x' }, parent: '/restapi/v3' },
      ],
    })
    const rights = { objects: ['services:write'], operations: ['restore-backup'], services: ['shop:write'] }
    await limited.allow({ ...rights, operations: [] })
    assert.equal((await imported(edit('shop'))).status, 403)
    await limited.allow(rights)
    assert.equal((await imported(edit('shop'))).status, 200)
    const { status, json } = await imported(edit('office'))
    assert.deepEqual([status, /office/.test(json.msg)], [403, true], json.msg)
    await limited.allow({ ...everywhere, ...rights, objects: ['administrator-roles:write'] })
    const role = { name: limited.role, operations: ['restore-backup', 'backup', 'shutdown'] }
    const more = { operation: 'EDIT', type: 'administrator-roles', payload: role, parent: '/restapi/v3' }
    assert.equal((await imported({ config: [more] })).status, 403)
    assert.equal((await admin.get('services/office')).json.data.office.comments, '')
  })

  test('is exported, whole or since a checkpoint, and makes another system the same', async () => {
    await imported({ config: [certificate, ...shop], Metadata: {} })
    await created('trusted-host-groups', { name: 'a-group' })
    await created('configuration-checkpoints', { name: 'before' })
    await created('ldap-services', { name: 'staff' })
    await created('ldap-services/staff/ldap-servers', {
      'ip-address': '192.0.2.20',
      'bind-dn': 'cn=waf',
      'bind-password': 'a bind secret',
      'base-dn': 'dc=example',
    })
    await client.call('PUT', 'services/shop', { comments: 'changed' })
    await client.call('DELETE', 'trusted-host-groups/a-group')

    const changes = await exported({ 'backup-type': 'partial', name: 'before' })
    assert.deepEqual(changes.config, [
      { operation: 'CREATE', type: 'ldap-services', parent: '/restapi/v3.2', payload: { name: 'staff' } },
      {
        operation: 'CREATE',
        type: 'ldap-servers',
        parent: '/restapi/v3.2/ldap-services/staff',
        payload: { 'bind-dn': 'cn=waf', 'base-dn': 'dc=example', 'ip-address': '192.0.2.20' },
      },
      {
        operation: 'EDIT',
        type: 'services',
        parent: '/restapi/v3.2',
        payload: { comments: 'changed', name: 'shop' },
      },
      {
        operation: 'DELETE',
        type: 'trusted-host-groups',
        parent: '/restapi/v3.2',
        payload: { name: 'a-group' },
      },
    ])
    assert.equal(changes.Metadata.since, 'before')
    assert.deepEqual(changes.Metadata['left-out'], [
      'bind-password of the ldap-domain-server "staff/192.0.2.20"',
    ])

    const whole = await exported()
    assert.ok(!JSON.stringify(whole).includes('a bind secret'))
    assert.ok(whole.Metadata['left-out'].includes('self-signed-certificate "shop-cert"'))
    await served.close()
    served = await serveFirewall({ store: await newStore(), key: Buffer.alloc(32, 8) })
    client = await logIn(served.baseUrl)
    const missing = await imported(whole)
    assert.deepEqual([missing.status, /there is none called "shop-cert"/.test(missing.json.msg)], [406, true])
    await created('certificates/self-signed-certificate', certificate.payload)
    const reply = await imported(whole)
    assert.equal(reply.status, 200, reply.text)
    const again = await exported()
    assert.deepEqual(again.config, whole.config)
  })

  test('of three thousand operations is applied while others are answered', async () => {
    const config = Array.from({ length: 1500 }, (_, index) => index).flatMap((index) => [
      {
        operation: 'CREATE',
        type: 'services',
        payload: { name: `s${index}`, 'ip-address': `192.0.${index >> 8}.${index & 255}`, port: '80' },
        parent: '/restapi/v3',
      },
      {
        operation: 'EDIT',
        type: 'basic-security',
        payload: { mode: 'Active' },
        parent: `/restapi/v3/services/s${index}`,
      },
    ])
    let isDone = false
    let turns = 0
    const watching = (async () => {
      for (; !isDone; turns++) await setTimeout(1)
    })()
    const { status, json } = await imported({ config, Metadata: {} }, 'Test')
    isDone = true
    await watching
    assert.deepEqual([status, json.data?.['added count']], [200, 1500], json.msg)
    assert.ok(turns > 10, `others had ${turns} turns`)
  })
})
