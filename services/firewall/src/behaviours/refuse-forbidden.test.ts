import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('addresses that the operator has forbidden', (newStore) => {
  let served: ServedService
  let client: Client
  const endpoints: { network: string; port: number }[] = []
  before(async () => {
    served = await serveFirewall({ store: await newStore(), ownEndpoints: () => endpoints })
    client = await logIn(served.baseUrl)
    endpoints.push({ network: '127.0.0.0/8', port: 8000 })
    const service = { name: 'shop', 'ip-address': '192.0.2.10', port: 80 }
    assert.equal((await client.call('POST', 'services', service)).status, 201)
    const rule = { name: 'rule', 'host-match': '*', 'url-match': '/*' }
    const reply = await client.call('POST', 'services/shop/content-rules', rule)
    assert.equal(reply.status, 201, reply.text)
  })
  after(() => served.close())

  /** Collections of what is connected to, with the members that such an object has to have. */
  const places: [collection: string, body: object, usualPort: number][] = [
    ['services/shop/servers', {}, 80],
    ['services/shop/content-rules/rule/content-rule-servers', {}, 80],
    ['syslog-servers', { 'server-type': 'Syslog NG', 'connection-type': 'TCP' }, 514],
  ]

  test('are refused with the member and the reason, when something is created and when it is changed', async () => {
    let ran = 0
    for (const [collection, body, usualPort] of places) {
      const create = (name: string, more: object) =>
        client.call('POST', collection, { name, ...body, ...more })
      for (const more of [{ 'ip-address': '169.254.169.254' }, { 'ip-address': '127.0.0.1', port: 8000 }]) {
        const { status, text } = await create('wrong', more)
        assert.equal(status, 406, text)
        assert.match(text, /The member ip-address: the operator of this system has forbidden connections to/)
      }
      endpoints.push({ network: '192.0.2.9', port: usualPort })
      assert.equal((await create('wrong', { 'ip-address': '192.0.2.9' })).status, 406)
      const right = { 'ip-address': '127.0.0.1', port: 9000 }
      const reply = await create('right', right)
      assert.equal(reply.status, 201, reply.text)
      assert.equal((await client.call('PUT', `${collection}/right`, { port: 8000 })).status, 406)
      assert.equal(
        (await client.call('PUT', `${collection}/right`, { 'ip-address': '169.254.0.1' })).status,
        406,
      )
      ran++
    }
    assert.equal(ran, places.length)
  })

  test('are refused as the place that a list of clients is downloaded from', async () => {
    const set = (url: string) => client.call('PUT', 'custom-ip-blocklist', { 'download-url': url })
    for (const place of [
      'http://169.254.169.254/latest',
      'https://[::ffff:169.254.0.9]/list',
      'http://127.0.0.1:8000/',
    ]) {
      const { status, text } = await set(place)
      assert.equal(status, 406, `${place}: ${text}`)
      assert.match(text, /The member download-url: the operator of this system has forbidden/)
    }
    assert.equal((await set('http://127.0.0.1:9000/list')).status, 200)
  })

  test('do not keep anybody from changing the rest of what was there before', async () => {
    for (const [collection, body] of places) {
      const earlier = { name: 'earlier', ...body, 'ip-address': '127.0.0.1', port: 8001 }
      assert.equal((await client.call('POST', collection, earlier)).status, 201)
    }
    endpoints.push({ network: '127.0.0.1', port: 8001 })
    for (const [collection] of places) {
      const changed = await client.call('PUT', `${collection}/earlier`, { comments: 'still here' })
      assert.equal(changed.status, 200, changed.text)
    }
  })

  test('are refused as names, too, where these are addresses', async () => {
    const server = { name: 'named', identifier: 'Hostname', hostname: '169.254.169.254' }
    const { status, text } = await client.call('POST', 'services/shop/servers', server)
    assert.equal(status, 406, text)
    const named = { ...server, hostname: 'metadata.example' }
    assert.equal((await client.call('POST', 'services/shop/servers', named)).status, 201)
  })

  test('are not tried by tests of connections', async () => {
    endpoints.push({ network: '192.0.2.77', port: 21 })
    const { status, text } = await client.call('PUT', 'backup/test-connection', {
      source: 'FTP',
      'ftp-address': '192.0.2.77',
      'ftp-port': 21,
      'ftp-username': 'u',
      'ftp-password': 'p',
    })
    assert.equal(status, 400, text)
    assert.match(text, /that its operator has forbidden/)
  })
})
