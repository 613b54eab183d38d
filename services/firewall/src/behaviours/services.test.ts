import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { onEveryStore, type ReceivedReply, type ServedService } from '@palisade/platform/testing'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('services with certificates', (newStore) => {
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
    for (const name of ['first', 'second']) {
      const body = { name, 'common-name': 'www.example.com', 'country-code': 'DE', 'key-type': 'ECDSA' }
      assert.equal((await client.call('POST', 'self-signed-certificate', body)).status, 201)
    }
  })
  after(() => served.close())
  afterEach(async () => {
    for (const name of Object.keys((await client.get('services')).json.data ?? {}))
      await client.call('DELETE', `services/${name}`)
  })

  async function create(body: object): Promise<void> {
    const { status, text } = await client.call('POST', 'services', {
      'ip-address': '192.0.2.10',
      port: 443,
      ...body,
    })
    assert.equal(status, 201, text)
  }
  const service = async (name: string) => (await client.get(`services/${name}`)).json.data[name]
  const sslSecurity = async (name: string) => (await service(name))['SSL Security']
  const change = (name: string, body: object): Promise<ReceivedReply> =>
    client.call('PUT', `services/${name}/ssl-security`, body)
  const names = async () => Object.keys((await client.get('services')).json.data ?? {})

  test('show the certificate that they are created with', async () => {
    for (const [index, type] of ['HTTPS', 'Custom SSL', 'FTP SSL', 'Instant SSL'].entries()) {
      const name = type.replace(' ', '-')
      const port = 8443 + index
      await create({ name, type, port, certificate: 'first', 'ecdsa-certificate': 'second' })
      const { status, certificate, 'ecdsa-certificate': ecdsa } = await sslSecurity(name)
      assert.deepEqual([status, certificate, ecdsa], ['On', 'first', 'second'], type)
    }
    await create({ name: 'plain', type: 'HTTP', port: 8081, certificate: 'first' })
    assert.equal((await sslSecurity('plain')).status, 'Off')
    await create({ name: 'none', type: 'HTTPS' })
    const { status, certificate } = await sslSecurity('none')
    assert.deepEqual([status, certificate], ['Off', ''])
  })

  test('say the same of their certificate at both addresses', async () => {
    await create({ name: 'shop', type: 'HTTPS', certificate: 'first' })
    assert.equal((await change('shop', { certificate: 'second' })).status, 200)
    assert.equal((await service('shop')).certificate, 'second')
    assert.equal((await client.call('PUT', 'services/shop', { certificate: 'first' })).status, 200)
    assert.equal((await sslSecurity('shop')).certificate, 'first')
    assert.equal((await client.call('PUT', 'services/shop', { comments: 'as before' })).status, 200)
    assert.equal((await sslSecurity('shop')).certificate, 'first')
    assert.equal((await change('shop', { certificate: '' })).status, 200)
    assert.equal((await service('shop')).certificate, '')
  })

  test('keep their certificates from being deleted, at every address', async () => {
    await create({ name: 'shop', type: 'HTTPS', certificate: 'first' })
    for (const address of [
      'self-signed-certificate',
      'certificates/self-signed-certificate',
      'certificates',
    ]) {
      const { status, json } = await client.call('DELETE', `${address}/first`)
      assert.equal(status, 400)
      assert.match(json.msg, /in use by service "shop"/)
    }
    assert.equal((await change('shop', { certificate: 'second' })).status, 200)
    const body = { name: 'third', 'common-name': 'x.example.com', 'country-code': 'DE', 'key-type': 'ECDSA' }
    assert.equal((await client.call('POST', 'self-signed-certificate', body)).status, 201)
    assert.equal(
      (await change('shop', { 'sni-certificate': ['third'], domain: ['x.example.com'] })).status,
      200,
    )
    assert.equal((await client.call('DELETE', 'certificates/third')).status, 400)
    assert.equal((await change('shop', { 'sni-certificate': [], domain: [] })).status, 200)
    assert.equal((await client.call('DELETE', 'certificates/third')).status, 200)
  })

  test('follow a certificate that is called otherwise', async () => {
    await create({ name: 'shop', type: 'HTTPS', certificate: 'first' })
    assert.equal((await client.call('PUT', 'self-signed-certificate/first', { name: 'renamed' })).status, 200)
    assert.equal((await service('shop')).certificate, 'renamed')
    assert.equal((await sslSecurity('shop')).certificate, 'renamed')
    assert.equal((await client.call('PUT', 'self-signed-certificate/renamed', { name: 'first' })).status, 200)
  })

  test('lead clients of plain HTTP to them when asked to', async () => {
    await create({ name: 'shop', type: 'HTTPS', certificate: 'first', mask: '255.255.255.0' })
    assert.equal(
      (await change('shop', { 'create-hsts-redirect-service': 'Yes', 'enable-hsts': 'Yes' })).status,
      200,
    )
    const redirect = await service('shop-redirect')
    assert.deepEqual(
      ['type', 'ip-address', 'port', 'mask', 'vsite', 'group', 'status'].map((member) => redirect[member]),
      ['Redirect Service', '192.0.2.10', '80', '255.255.255.0', 'default', 'default', 'On'],
    )
    assert.equal((await change('shop', { 'create-hsts-redirect-service': 'Yes' })).status, 200)
    assert.deepEqual(await names(), ['shop', 'shop-redirect'])
    assert.equal((await change('shop', { 'create-hsts-redirect-service': 'No' })).status, 200)
  })

  test('lead nobody to them where another service is, or they themselves', async () => {
    const ask = { 'create-hsts-redirect-service': 'Yes' }
    const refused = async (name: string, words: RegExp) => {
      const { status, json } = await change(name, ask)
      assert.equal(status, 406, name)
      assert.match(json.msg, /The member create-hsts-redirect-service: /)
      assert.match(json.msg, words)
    }
    await create({ name: 'plain', port: 80 })
    await create({ name: 'shop', type: 'HTTPS' })
    await refused('shop', /Another service is at 192\.0\.2\.10, port 80/)
    await create({ name: 'same-port', type: 'HTTPS', port: 80, 'ip-address': '192.0.2.11' })
    await refused('same-port', /itself is at port 80/)
    await create({ name: 'nowhere', type: 'HTTPS', 'ip-address': '' })
    await refused('nowhere', /no ip-address/)
    assert.deepEqual(await names(), ['nowhere', 'plain', 'same-port', 'shop'])
  })

  test('find a name for the redirect, however long theirs is and whatever is taken', async () => {
    const name = `a${'b'.repeat(63)}`
    await create({ name, type: 'HTTPS' })
    await create({ name: `${name.slice(0, 55)}-redirect`, type: 'HTTPS', 'ip-address': '192.0.2.20' })
    assert.equal((await change(name, { 'create-hsts-redirect-service': 'Yes' })).status, 200)
    assert.equal((await service(`${name.slice(0, 53)}-redirect-2`)).type, 'Redirect Service')
  })

  test('of the type Instant SSL come with a redirect, and with their domains', async () => {
    const { status } = await client.call('POST', 'services', {
      name: 'instant',
      type: 'Instant SSL',
      'ip-address': '192.0.2.30',
      certificate: 'first',
      'secure-site-domain': ['www.example.com'],
    })
    assert.equal(status, 201)
    const instant = await service('instant')
    assert.equal(instant.port, '443')
    assert.equal(instant['Instant SSL'].status, 'On')
    assert.deepEqual(instant['Instant SSL']['secure-site-domain'], ['www.example.com'])
    assert.equal((await service('instant-redirect')).port, '80')

    await create({ name: 'plain', port: 80 })
    await create({ name: 'beside', type: 'Instant SSL' })
    assert.deepEqual(await names(), ['beside', 'instant', 'instant-redirect', 'plain'])
  })

  test('do not come to where another one is that is switched on', async () => {
    const message =
      'The member port: another service that is switched on is at 192.0.2.10, port 443, already. Expected was another ip-address or port, or the status Off.'
    const assertRefused = ({ status, json }: ReceivedReply) => {
      assert.equal(status, 406)
      assert.match(json.msg, new RegExp(message.replaceAll('.', '\\.')))
    }
    const post = (body: object) =>
      client.call('POST', 'services', { 'ip-address': '192.0.2.10', port: 443, ...body })
    const put = (name: string, body: object) => client.call('PUT', `services/${name}`, body)
    await create({ name: 'shop' })
    assertRefused(await post({ name: 'a-later-one' }))
    assert.deepEqual(await names(), ['shop'], 'nothing of it is there')
    await create({ name: 'a-second', status: 'Off' })
    assertRefused(await put('a-second', { status: 'On' }))
    assert.equal((await put('a-second', { comments: 'a draft' })).status, 200)
    await create({ name: 'elsewhere', 'ip-address': '192.0.2.11' })
    assertRefused(await put('elsewhere', { 'ip-address': '192.0.2.10' }))
    assert.equal((await put('elsewhere', { 'ip-address': '192.0.2.10', port: 444 })).status, 200)
    assertRefused(await put('elsewhere', { port: 443 }))
    assert.equal((await put('shop', { name: 'renamed', port: 443 })).status, 200, 'it is where it was')
    assert.equal((await put('renamed', { status: 'Off' })).status, 200)
    assert.equal((await put('a-second', { status: 'On' })).status, 200)
    assertRefused(await put('renamed', { status: 'On' }))
  })
})
