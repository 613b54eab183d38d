import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { Examples } from '../catalogue/examples/examples.ts'
import { catalogue } from '../catalogue/index.ts'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import {
  everywhere,
  type LimitedAdministrator,
  limitedAdministrator,
} from '../testing/limited-administrator.ts'

const kinds = [...compileCatalogue(catalogue).values()]
const examples = new Examples(compileCatalogue(catalogue))

/** Every kind, to change it; where it lies is then what decides. */
const everyObject = { objects: ['_ALL_:write'] } as const
const ownServices = { objects: ['services:write'], vsites: ['own:write'] } as const

onEveryStore('a role that names places', (newStore) => {
  let served: ServedService
  let admin: Client
  let limited: LimitedAdministrator
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    admin = await logIn(served.baseUrl)
    limited = await limitedAdministrator(served.baseUrl, admin)
    const there: [path: string, body: object][] = [
      ['vsites', { name: 'own', interface: 'LAN' }],
      ['vsites', { name: 'foreign', interface: 'LAN' }],
      ['vsites/own/service-groups', { 'service-group': 'web' }],
      ['vsites/foreign/service-groups', { 'service-group': 'shops' }],
      ['security-policies', { name: 'tight' }],
      ['security-policies', { name: 'secret' }],
      ['services', { name: 'mine', vsite: 'own', group: 'web', port: 81 }],
      ['services', { name: 'theirs', vsite: 'foreign', group: 'shops', port: 82 }],
      ['trusted-host-groups', { name: 'offices' }],
    ]
    for (const [path, body] of there) {
      const { status, text } = await admin.call('POST', path, body)
      assert.equal(status, 201, `${path}: ${text}`)
    }
  })
  after(() => served.close())
  beforeEach(() => limited.allow({}))

  const statusOf = async (method: string, path: string, body?: object) =>
    (await limited.call(method, path, body)).status
  const namesIn = async (path: string) => Object.keys((await limited.get(path)).json.data ?? {})

  /** Each way to say that the role reaches the service "mine" and no other. */
  const waysToMine = {
    vsite: { vsites: ['own:write'] },
    group: { 'service-groups': ['web:write'] },
    name: { services: ['mine:write'] },
  }
  for (const [way, places] of Object.entries(waysToMine)) {
    describe(`by ${way}`, () => {
      beforeEach(() => limited.allow({ ...everyObject, ...places }))

      test('lists show what is reached, and only that', async () => {
        assert.deepEqual(await namesIn('services'), ['mine'])
        for (const query of ['groups=Service', 'parameters=name,vsite', 'limit=1', 'limit=1&offset=0']) {
          assert.deepEqual(await namesIn(`services?${query}`), ['mine'], query)
        }
        assert.deepEqual(await namesIn('services?offset=1'), [])
      })

      test('another service is not read, changed, deleted or seen into, whatever the query', async () => {
        for (const query of [
          '',
          '?groups=Service',
          '?groups=Server',
          '?parameters=name',
          '?category=operational',
        ]) {
          assert.equal(await statusOf('GET', `services/theirs${query}`), 403, query)
        }
        assert.equal(await statusOf('PUT', 'services/theirs', { port: 83 }), 403)
        assert.equal(await statusOf('DELETE', 'services/theirs'), 403)
        assert.equal(await statusOf('GET', 'services/mine'), 200)
        assert.equal(await statusOf('PUT', 'services/mine', { comments: way }), 200)
      })

      test('no kind inside another service is reached, nor any section of it', async () => {
        let ran = 0
        for (const kind of kinds.filter(({ lineage }) => lineage[0]?.name === 'service')) {
          const { collection, item } = examples.addressOf(kind)
          const service = examples.nameOf(kind.lineage[0] ?? kind)
          const inTheirs = (address: string) =>
            address.replace(`services/${encodeURIComponent(service)}`, 'services/theirs')
          const addresses = [
            ...(kind.lineage.length > 1 ? [inTheirs(collection)] : []),
            inTheirs(item),
            ...kind.sections.map(({ segment }) => `${inTheirs(item)}/${segment}`),
          ]
          for (const address of addresses) {
            assert.ok(address.startsWith('services/theirs'), address)
            for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
              const status = await statusOf(method, address, method === 'GET' ? undefined : {})
              assert.ok(status === 403 || status === 405, `${method} ${address}: ${status}`)
              if (method === 'GET') assert.equal(status, 403, address)
              ran++
            }
          }
        }
        assert.ok(ran > 400, `${ran} requests`)
      })

      test('a service is not created in, moved to or renamed out to where the role does not reach', async () => {
        const elsewhere = { vsite: 'foreign', group: 'shops' }
        assert.equal(await statusOf('POST', 'services', { name: 'spy', port: 90, ...elsewhere }), 403)
        assert.equal(await statusOf('PUT', 'services/mine', elsewhere), 403)
        assert.equal(await statusOf('PUT', 'services/mine', { ...elsewhere, name: 'other' }), 403)
        const { vsite, name } = (await admin.get('services/mine')).json.data.mine
        assert.deepEqual([vsite, name], ['own', 'mine'])
        assert.equal((await admin.get('services/spy')).status, 404)
      })
    })
  }

  test('by name, a service cannot be renamed, and none of another name created', async () => {
    await limited.allow({ ...everyObject, services: ['mine:write'] })
    assert.equal(await statusOf('PUT', 'services/mine', { name: 'theirs2' }), 403)
    assert.equal(await statusOf('POST', 'services', { name: 'another', port: 91 }), 403)
    assert.deepEqual(Object.keys((await admin.get('services')).json.data).sort(), ['mine', 'theirs'])
  })

  test('by vsite, services are created there and nowhere else', async () => {
    await limited.allow(ownServices)
    const body = { name: 'second', port: 92, group: 'web' }
    assert.equal(await statusOf('POST', 'services', { ...body, vsite: 'own' }), 201)
    assert.equal(
      await statusOf('POST', 'services', { name: 'third', port: 93, vsite: 'foreign', group: 'shops' }),
      403,
    )
    assert.equal(await statusOf('POST', 'services', { name: 'third', port: 93 }), 403, 'the default vsite')
    assert.equal(await statusOf('DELETE', 'services/second'), 200)
  })

  test('by vsite, what lies in another vsite is not reached, and the vsite not taken over by a name', async () => {
    await limited.allow({ ...everyObject, vsites: ['own:write'] })
    assert.deepEqual(await namesIn('vsites'), ['own'])
    assert.deepEqual(await namesIn('vsites/own/service-groups'), ['default', 'web'])
    for (const method of ['GET', 'PUT', 'DELETE']) {
      assert.equal(await statusOf(method, 'vsites/foreign', method === 'PUT' ? {} : undefined), 403)
      const group = 'vsites/foreign/service-groups/shops'
      assert.equal(await statusOf(method, group, method === 'PUT' ? {} : undefined), 403)
    }
    assert.equal(await statusOf('GET', 'vsites/foreign/service-groups'), 403)
    assert.equal(await statusOf('POST', 'vsites/foreign/service-groups', { 'service-group': 'mine' }), 403)
    assert.equal(await statusOf('POST', 'vsites', { name: 'third', interface: 'LAN' }), 403)
    assert.ok([403, 406].includes(await statusOf('PUT', 'vsites/own', { name: 'third' })))
  })

  test('a redirect beside a service is made, and recorded, where the role reaches it', async () => {
    const address = '192.0.2.50'
    const secured = {
      name: 'secured',
      type: 'HTTPS',
      port: 443,
      'ip-address': address,
      vsite: 'own',
      group: 'web',
    }
    assert.equal((await admin.call('POST', 'services', secured)).status, 201)
    const redirect = () =>
      limited.call('PUT', 'services/secured/ssl-security', { 'create-hsts-redirect-service': 'Yes' })
    for (const allowed of [
      { ...everyObject, services: ['secured:write'] },
      { objects: ['services/ssl-security:write'], vsites: ['own:write'] },
    ]) {
      await limited.allow(allowed)
      assert.equal((await redirect()).status, 403, JSON.stringify(allowed))
      assert.equal((await admin.get('services/secured-redirect')).status, 404)
    }
    await limited.allow(ownServices)
    const inTheWay = { name: 'hidden', 'ip-address': address }
    assert.equal((await admin.call('POST', 'services', inTheWay)).status, 201)
    const refused = await redirect()
    assert.equal(refused.status, 406)
    assert.doesNotMatch(refused.text, /hidden/)
    assert.equal((await admin.call('DELETE', 'services/hidden')).status, 200)

    assert.equal((await redirect()).status, 200)
    const { data } = (await admin.get('audit-logs?limit=50')).json
    const added = Object.values<Record<string, string>>(data).filter(
      (entry) => entry['object-name'] === 'secured-redirect',
    )
    assert.ok(
      added.some(({ variable, 'new-value': value }) => variable === 'ip-address' && value === address),
    )
    for (const entry of added)
      assert.deepEqual([entry.admin, entry['change-type']], [limited.username, 'Add'])
    for (const name of ['secured', 'secured-redirect']) {
      assert.equal(await statusOf('DELETE', `services/${name}`), 200)
    }
  })

  test('by security policy, others are not reached, copied or given to a service', async () => {
    await limited.allow({ ...everyObject, services: ['_ALL_:write'], 'security-policies': ['tight:write'] })
    assert.deepEqual(await namesIn('security-policies'), ['tight'])
    assert.equal(await statusOf('GET', 'security-policies/secret'), 403)
    assert.equal(await statusOf('GET', 'security-policies/secret/global-acls'), 403)
    assert.equal(await statusOf('PUT', 'security-policies/secret/cookie-security', {}), 403)
    assert.equal(await statusOf('POST', 'security-policies', { name: 'copy', 'based-on': 'secret' }), 403)
    const policy = (name: string) =>
      statusOf('PUT', 'services/mine/basic-security', { 'web-firewall-policy': name })
    assert.equal(await policy('secret'), 403)
    assert.equal(await policy('tight'), 200)
    assert.equal(await policy('tight'), 200, 'what is named already may be named again')
  })

  test('by authentication service, others are not reached, of whatever kind, nor the local users', async () => {
    const services = kinds.filter(({ name }) => name.endsWith('-authentication-service'))
    assert.equal(services.length, 6)
    for (const kind of services) {
      const { create } = examples.of(kind)
      for (const name of ['ours', 'hidden']) {
        const body = { ...create, [kind.identifiedBy ?? '']: `${name}-${kind.name}` }
        const { status, text } = await admin.call('POST', kind.segments.join('/'), body)
        assert.equal(status, 201, text)
      }
    }
    for (const kind of services) {
      await limited.allow({ ...everyObject, 'authentication-services': [`ours-${kind.name}:read`] })
      assert.deepEqual(await namesIn(kind.segments.join('/')), [`ours-${kind.name}`])
      const [own, other] = ['ours', 'hidden'].map((name) => `${kind.segments.join('/')}/${name}-${kind.name}`)
      assert.equal(await statusOf('GET', own ?? ''), 200)
      assert.equal(await statusOf('DELETE', own ?? ''), 403)
      assert.equal(await statusOf('GET', other ?? ''), 403)
      for (const child of kind.children) {
        assert.equal(await statusOf('GET', `${other}/${child.segments.join('/')}`), 403)
        assert.equal(await statusOf('POST', `${own}/${child.segments.join('/')}`, {}), 403)
      }
    }
    assert.deepEqual(await namesIn('local-groups'), [])
    assert.equal(await statusOf('POST', 'local-groups', { name: 'staff' }), 403)
    await limited.allow({ ...everyObject, 'authentication-services': ['internal:write'] })
    assert.equal(await statusOf('POST', 'local-groups', { name: 'staff' }), 201)
  })

  test('names only what can be read', async () => {
    await limited.allow({ objects: ['services:write'], ...everywhere })
    const track = (name: string) =>
      statusOf('PUT', 'services/mine/basic-security', { 'trusted-hosts-group': name })
    assert.equal(await track('offices'), 403)
    assert.equal(await track('nobody'), 403, 'nor can it find out which are there')
    await limited.allow({ objects: ['services:write', 'trusted-host-groups:read'], ...everywhere })
    assert.equal(await track('nobody'), 406)
    assert.equal(await track('offices'), 200)
  })

  test('is not told by which objects out of its reach something is used', async () => {
    for (const name of ['theirs', 'mine']) {
      const member = { 'trusted-hosts-group': 'offices' }
      assert.equal((await admin.call('PUT', `services/${name}/basic-security`, member)).status, 200)
    }
    const refusal = async () => {
      const { status, json } = await limited.call('DELETE', 'trusted-host-groups/offices')
      assert.equal(status, 400)
      return json.msg
    }
    const inUse = 'The trusted-host-group "offices" is in use by'
    await limited.allow({ ...everyObject, ...everywhere })
    assert.equal(await refusal(), `${inUse} service "mine", service "theirs". Change those first.`)
    await limited.allow({ ...everyObject, services: ['mine:write'] })
    assert.equal(await refusal(), `${inUse} service "mine" and 1 others. Change those first.`)
    await admin.call('PUT', 'services/mine/basic-security', { 'trusted-hosts-group': '' })
    assert.equal(await refusal(), `${inUse} 1 objects that your role does not reach. Change those first.`)
    await admin.call('PUT', 'services/theirs/basic-security', { 'trusted-hosts-group': '' })
  })

  test('may do less from the moment on in which the role says so', async () => {
    await limited.allow(ownServices)
    assert.equal(await statusOf('PUT', 'services/mine', { comments: 'once' }), 200)
    await limited.allow({ ...ownServices, vsites: ['own:read'] })
    assert.equal(await statusOf('PUT', 'services/mine', { comments: 'twice' }), 403)
    assert.equal(await statusOf('GET', 'services/mine'), 200)
    await limited.allow({})
    assert.equal(await statusOf('GET', 'services/mine'), 403)
    await limited.allow(ownServices)
    await admin.call('PUT', `administrator-roles/${limited.role}`, { 'api-privilege': 'No' })
    assert.equal(await statusOf('GET', 'services/mine'), 403, 'without the API privilege')
    await admin.call('PUT', `administrator-roles/${limited.role}`, { 'api-privilege': 'Yes' })
    assert.equal(await statusOf('GET', 'services/mine'), 200)
  })
})
