import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { onEveryStore, type ServedService, send } from '@palisade/platform/testing'
import { basic, type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('requests as real clients send them', (newStore) => {
  let served: ServedService
  let client: Client
  beforeEach(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
  })
  afterEach(() => served.close())

  const shop = async () => (await client.get('services/shop')).json.data.shop
  const raw = (method: string, path: string, body?: string, type = 'application/json') =>
    send(`${served.baseUrl}${path}`, {
      method,
      headers: { ...basic(`${client.token}:`), ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
    })

  test('members with underscores, named values in any case, numbers as text and as numbers', async () => {
    const body = {
      name: 'shop',
      ip_address: '192.0.2.1',
      address_version: 'ipv4',
      Type: 'https',
      port: '8443',
    }
    assert.equal((await client.call('POST', 'services', body)).status, 201)
    const { name, type, port, ...rest } = await shop()
    assert.deepEqual([name, type, port], ['shop', 'HTTPS', '8443'])
    assert.deepEqual([rest['ip-address'], rest['address-version']], ['192.0.2.1', 'IPv4'])
    await client.call('PUT', 'services/shop', { port: 443, session_timeout: 0, status: 'OFF' })
    const { port: changed, status } = await shop()
    assert.deepEqual([changed, status], ['443', 'Off'])
  })

  test('the same member in two spellings is refused', async () => {
    const { status, json } = await client.call('POST', 'services', {
      name: 'shop',
      app_id: 'a',
      'app-id': 'b',
    })
    assert.equal(status, 406)
    assert.match(json.msg, /app-id is given twice/)
  })

  test('lists as arrays, as one text with commas, and empty', async () => {
    await client.call('POST', 'services', { name: 'shop', 'secure-site-domain': ['a.example', 'b.example'] })
    assert.deepEqual((await shop())['secure-site-domain'], ['a.example', 'b.example'])
    await client.call('PUT', 'services/shop', { secure_site_domain: 'c.example, d.example' })
    assert.deepEqual((await shop())['secure-site-domain'], ['c.example', 'd.example'])
    for (const empty of ['', []]) {
      await client.call('PUT', 'services/shop', { secure_site_domain: 'x' })
      await client.call('PUT', 'services/shop', { secure_site_domain: empty })
      assert.deepEqual((await shop())['secure-site-domain'], [])
    }
  })

  test('a list with one value where one value is meant', async () => {
    await client.call('POST', 'services', { name: ['shop'], port: [8080] })
    assert.equal((await shop()).port, '8080')
    const { status, json } = await client.call('PUT', 'services/shop', { port: [80, 81] })
    assert.equal(status, 406)
    assert.match(json.msg, /port must be an integer/)
  })

  test('null, like a member that is left out', async () => {
    await client.call('POST', 'services', { name: 'shop', mask: null, comments: 'kept' })
    const before = await shop()
    const { status } = await client.call('PUT', 'services/shop', { comments: null, 'app-id': null })
    assert.equal(status, 200)
    assert.deepEqual(await shop(), before)
  })

  test('an empty object in PUT changes nothing; one member changes that one', async () => {
    await client.call('POST', 'services', { name: 'shop', port: 81, comments: 'kept' })
    const before = await shop()
    assert.equal((await client.call('PUT', 'services/shop', {})).status, 200)
    assert.deepEqual(await shop(), before)
    await client.call('PUT', 'services/shop', { port: 82 })
    assert.deepEqual(await shop(), { ...before, port: '82' })
  })

  test('members that are decided at creation, repeated in PUT as they are', async () => {
    await client.call('POST', 'services', { name: 'shop' })
    const same = { name: 'shop', 'address-version': 'ipv4', vsite: 'default', group: 'default', port: 90 }
    assert.equal((await client.call('PUT', 'services/shop', same)).status, 200)
    assert.equal((await shop()).port, '90')
  })

  test('a section written back as it was read', async () => {
    await client.call('POST', 'services', { name: 'shop' })
    const section = 'services/shop/slow-client-attack'
    const { data } = (await client.get(section)).json
    const { status } = await client.call('PUT', section, data.shop['Slow Client Attack Prevention'])
    assert.equal(status, 200)
    assert.deepEqual((await client.get(section)).json.data, data)
  })

  test('a member given empty returns to its default', async () => {
    await client.call('POST', 'services', {
      name: 'shop',
      port: '',
      comments: 'x',
      'ip-address': '192.0.2.1',
    })
    assert.equal((await shop()).port, '80')
    await client.call('PUT', 'services/shop', { port: 81, 'ip-address': '', comments: '' })
    await client.call('PUT', 'services/shop', { port: '' })
    const { port, comments, ...rest } = await shop()
    assert.deepEqual([port, comments, rest['ip-address']], ['80', '', ''])
  })

  test('a rename: PUT with another name', async () => {
    await client.call('POST', 'services', { name: 'shop' })
    await client.call('PUT', 'services/shop/url-encryption', { status: 'On' })
    const { status, json } = await client.call('PUT', 'services/shop', { name: 'store', port: 81 })
    assert.deepEqual([status, json.id], [200, 'store'])
    assert.equal((await client.get('services/shop')).status, 404)
    const { store } = (await client.get('services/store')).json.data
    assert.deepEqual([store.name, store.port, store['URL Encryption'].status], ['store', '81', 'On'])
    await client.call('POST', 'services', { name: 'shop' })
    const reply = await client.call('PUT', 'services/shop', { name: 'store' })
    assert.equal(reply.status, 406)
    assert.match(reply.json.msg, /duplicate value not allowed/)
  })

  test('indented JSON with CR LF line ends', async () => {
    const body = '{\r\n    "name":  "shop",\r\n    "port":  "8080"\r\n}\r\n'
    assert.equal((await raw('POST', '/restapi/v3/services', body)).status, 201)
    assert.equal(
      (await raw('PUT', '/restapi/v3/services/shop', '{}', 'Application/json;charset=utf-8')).status,
      200,
    )
  })

  test('addresses with doubled slashes, trailing slashes and blanks, underscores, and encoded names', async () => {
    await client.call('POST', 'services', { name: 'shop.1_a-b' })
    const addresses = [
      '//restapi/v3/services',
      '/restapi/v3.1/services/',
      '/restapi//v3.2//services//',
      '/restapi/v3.2/services%20',
      '/restapi/v3.2/services/%20%20',
      '/restapi/v3.2/services/shop.1_a-b/',
      '/restapi/v3.2/services/shop.1_a-b%20',
      '/restapi/v3.2/services/shop%2E1%5Fa%2Db',
      '/restapi/v3.2/services/shop.1_a-b/slow_client_attack',
      '/restapi/v3.2/services/shop.1_a-b/slow-client-attack/',
      '/restapi/v3.2/services/shop.1_a-b/url_encryption%20%20',
      '/restapi/v3.2/Services/shop.1_a-b/URL_Encryption',
      '/restapi/v3.2/vsites/default/service_groups/default',
      '/restapi/v3.2/vsites/default/service-groups/default/',
    ]
    for (const address of addresses) assert.equal((await raw('GET', address)).status, 200, address)
    for (const address of ['/restapi/v3.2/services/SHOP.1_a-b', '/restapi/v3.2/services/shop.1-a-b']) {
      assert.equal((await raw('GET', address)).status, 404, `names are taken as they are: ${address}`)
    }
  })

  test('groups and parameters joined by commas, repeated, and in other spellings', async () => {
    await client.call('POST', 'services', { name: 'shop', port: 81 })
    const shopOf = async (query: string) => (await client.get(`services?${query}`)).json.data?.shop
    const two = {
      'URL Encryption': { status: 'Off' },
      'Mask Sensitive Data': { 'sensitive-parameter-names': '' },
    }
    for (const query of [
      'groups=URL+Encryption,Mask+Sensitive+Data',
      'groups=URL%20Encryption&groups=Mask%20Sensitive%20Data',
      'groups=url%20encryption,%20mask%20sensitive%20data',
    ]) {
      assert.deepEqual(await shopOf(query), two, query)
    }
    for (const query of [
      'parameters=name,port',
      'parameters=name&parameters=port',
      'fields=name,port',
      'parameters=Name,Port',
    ]) {
      assert.deepEqual(await shopOf(query), { name: 'shop', port: '81' }, query)
    }
    const textFor = async (path: string) => (await client.get(path)).text.replace(/"token":.*/s, '')
    for (const [path, once] of [
      ['services', 'groups=Service,Caching,Server'],
      ['services/shop', 'groups=Server&parameters=name'],
      ['system', 'groups=NTP%20Server'],
      ['vsites', 'parameters=name,interface'],
    ] as const) {
      const twice = once.replaceAll(/=([^&]+)/g, (_, value: string) => `=${value},${value.toLowerCase()}`)
      assert.equal(await textFor(`${path}?${twice}`), await textFor(`${path}?${once}`), twice)
    }
    assert.deepEqual(await shopOf('parameters=ip_address'), { 'ip-address': '' })
    assert.deepEqual(await shopOf('groups=URL%20Encryption&parameters=status'), {
      'URL Encryption': { status: 'Off' },
    })
    assert.deepEqual(await shopOf('groups='), await shop(), 'nothing named is everything')
  })

  test('category=operational asks how services fare instead of how they are configured', async () => {
    await client.call('POST', 'services', { name: 'resting', status: 'Off' })
    for (const path of ['services?category=operational', 'services/resting?category=operational']) {
      const { data } = (await client.get(path)).json
      assert.deepEqual(data.resting, {
        object: 'Service',
        name: 'resting',
        'operational-status': 'Off',
        'status-reason': 'It is switched off.',
      })
    }
    await client.call('PUT', 'services/resting', { status: 'On' })
    const { data } = (await client.get('services/resting?category=operational')).json
    assert.equal(data.resting['operational-status'], 'Down')
    const shopOf = async (query: string) =>
      (await client.get(`services?category=operational&${query}`)).json.data.resting
    assert.deepEqual(await shopOf('parameters=name,operational_status'), {
      name: 'resting',
      'operational-status': 'Down',
    })
    assert.deepEqual(await shopOf('groups=Service&parameters=status'), { status: 'On' })
    assert.deepEqual(await shopOf('groups=service'), data.resting)
    await client.call('POST', 'services/resting/servers', {
      name: 'first',
      'ip-address': '192.0.2.1',
      port: 80,
    })
    const servers = async (query: string) =>
      (await client.get(`services/resting?groups=Server&${query}`)).json.data.resting
    assert.deepEqual(await servers('parameters=status&category=operational'), {
      Server: { object: 'Server', data: { first: { status: 'In Service' } } },
    })
    assert.deepEqual(await servers('parameters=status'), {
      Server: { object: 'Server', data: { first: { status: 'In Service' } } },
    })
    const { first } = (await servers('category=operational')).Server.data
    assert.deepEqual([first.object, first.name, first['operational-status']], ['Server', 'first', 'Unknown'])
    assert.deepEqual(await shopOf('groups=Service,Server&parameters=name'), {
      name: 'resting',
      Server: { object: 'Server', data: { first: { name: 'first' } } },
    })
    await client.call('DELETE', 'services/resting')
  })

  test('parameters that mean nothing here are refused by name', async () => {
    const wrong: [path: string, words: RegExp][] = [
      ['vsites?category=operational', /parameter category has no meaning here/],
      ['services?category=nothing', /category must be operational/],
      ['services?limit=ten', /limit must be one integer of at least 1/],
      ['services?limit=0', /limit/],
      ['services?limit=1&limit=2', /limit/],
      ['services?offset=-1', /offset/],
      ['services?parameters=colour', /"colour", which is no member/],
      ['services?groups=URL%20Encryption&parameters=port', /"port", which is no member/],
      ['vsites/default?limit=1', /parameter limit has no meaning here/],
      [
        'services?category=operational&groups=Caching',
        /"Caching", which has no operational state; expected: Service, Server/,
      ],
      ['services?category=operational&parameters=colour', /"colour", which is no member/],
      ['services?parameters=operational-status', /"operational-status", which is no member/],
    ]
    for (const [path, words] of wrong) {
      const { status, json } = await client.get(path)
      assert.equal(status, 400, path)
      assert.match(json.msg, words)
    }
    for (const [method, path, body] of [
      ['POST', 'services?dry-run=yes', { name: 'another' }],
      ['PUT', 'vsites/default?groups=Vsite', { comments: 'changed' }],
      ['DELETE', 'vsites/default?limit=1', undefined],
    ] as const) {
      const { status, json } = await client.call(method, path, body)
      assert.equal(status, 400, path)
      assert.match(json.msg, /has no meaning here; expected: none/)
    }
    assert.equal((await client.get('services')).json.data, undefined)
    assert.equal((await client.get('vsites/default')).json.data.default.comments, '')
  })

  test('a list taken in pages is the whole list', async () => {
    for (const name of ['d', 'b', 'e', 'a', 'c']) await client.call('POST', 'services', { name })
    const pages: string[] = []
    for (let offset = 0; ; offset += 2) {
      const { data } = (await client.get(`services?limit=2&offset=${offset}`)).json
      if (data === undefined) break
      pages.push(...Object.keys(data))
    }
    assert.deepEqual(pages, ['a', 'b', 'c', 'd', 'e'])
  })

  test('a long list that is asked for with a query is sent in pieces', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `s${String(index).padStart(3, '0')}`)
    for (const name of names) await client.call('POST', 'services', { name })
    for (const [query, expected] of [
      ['parameters=name', names],
      ['parameters=name&limit=100', names.slice(0, 100)],
      ['category=operational&parameters=name', names],
    ] as const) {
      const { headers, json } = await client.get(`services?${query}`)
      assert.equal(headers['transfer-encoding'], 'chunked', query)
      assert.deepEqual(json.data, Object.fromEntries(expected.map((name) => [name, { name }])))
      assert.equal(typeof json.token, 'string')
    }
  })

  test('logout with an empty body and a JSON content type', async () => {
    assert.equal((await raw('DELETE', '/restapi/v3/logout', '')).status, 202)
  })
})
