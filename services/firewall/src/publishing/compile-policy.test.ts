import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { type ProxyReport, type ProxySnapshot, proxyAddresses } from '@palisade/proxy-protocol'
import { callAsProxy } from '../testing/as-proxy.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('what proxies are told to check', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-checks-'))
  const clock = settableClock()
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore(), dataDirectory, clock })
    client = await logIn(served.baseUrl)
    for (const [name, port] of [
      ['blog', 8080],
      ['shop', 8081],
    ])
      await write('POST', 'services', { name, 'ip-address': '127.0.0.9', port })
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const write = async (method: string, path: string, body: object) => {
    const { status, text } = await client.call(method, path, body)
    assert.ok(status === 200 || status === 201, text)
  }
  const asProxy = (path: string, body?: object) => callAsProxy(served, dataDirectory, path, body)
  const snapshot = async () => (await asProxy(proxyAddresses.snapshot)).json as unknown as ProxySnapshot
  const publishedShop = async () => {
    const { services, policies = {} } = await snapshot()
    const shop = services.find(({ name }) => name === 'shop')
    return { shop, checks: shop?.checks, policy: policies[shop?.policy ?? ''] }
  }

  test('JSON profiles with their policy and the profiles of keys, those that are switched on', async () => {
    await write('POST', 'json-security-policies', {
      name: 'small',
      'max-key-length': 64,
      'max-keys': 100,
      'max-value-length': 1000,
      'max-object-depth': 5,
      'max-siblings': 7,
      'max-array-elements': 0,
      'max-number-value': '0',
      'min-number-value': '-5',
    })
    const profiles = 'services/shop/json-profiles'
    const whole = { 'host-match': '*', method: ['post'], 'json-policy': 'small' }
    await write('POST', profiles, {
      ...whole,
      name: 'all',
      'url-match': '/api/*',
      mode: 'Active',
      'ignore-keys': ['notes'],
    })
    await write('POST', profiles, {
      ...whole,
      name: 'orders',
      'url-match': '/api/orders',
      'exception-patterns': ['942100'],
    })
    await write('POST', profiles, { ...whole, name: 'off', 'url-match': '/off', status: 'Off' })
    const keys = `${profiles}/orders/json-key-profiles`
    await write('POST', keys, {
      name: 'quantity',
      key: 'items.quantity',
      'value-class': 'Integer',
      'value-type': 'Number',
      'allow-null': 'No',
      'max-number-value': '100',
    })
    await write('POST', keys, { name: 'off', key: 'x', 'value-class': 'Generic', status: 'Off' })
    const [orders, all, ...others] = (await publishedShop()).checks?.jsonProfiles ?? []
    assert.deepEqual(others, [])
    assert.deepEqual([orders?.name, orders?.isPassive, orders?.methods], ['orders', true, ['POST']])
    assert.ok(orders?.attackTypes.exceptRules.includes(942_100))
    assert.deepEqual([all?.name, all?.isPassive, all?.ignoredKeys], ['all', false, ['notes']])
    assert.deepEqual(all?.limits, {
      depth: 5,
      keys: 100,
      siblings: 7,
      arrayElements: 0,
      keyCharacters: 64,
      valueCharacters: 1000,
      numbers: { min: '-5' },
    })
    assert.equal(orders?.keys.length, 1)
    const [quantity] = orders?.keys ?? []
    assert.deepEqual(
      [quantity?.key, quantity?.type, quantity?.allowsNull, quantity?.numbers, quantity?.shapes.length],
      ['items.quantity', 'number', false, { max: '100' }, 1],
    )
    for (const name of ['all', 'orders', 'off']) {
      assert.equal((await client.call('DELETE', `${profiles}/${name}`)).status, 200)
    }
    assert.equal((await publishedShop()).checks?.jsonProfiles, undefined)
  })

  test('content rules leave mode and policy to their service until they say otherwise', async () => {
    const rule = async () => (await publishedShop()).shop?.contentRules[0]
    await write('POST', 'security-policies', { name: 'tight' })
    await write('PUT', 'security-policies/tight/cookie-security', { 'tamper-proof-mode': 'Encrypted' })
    await write('POST', 'services/shop/content-rules', {
      name: 'admin',
      'host-match': '*',
      'url-match': '/admin/*',
    })
    assert.equal((await rule())?.checks, undefined)
    await write('PUT', 'services/shop/content-rules/admin', { mode: 'Active' })
    assert.deepEqual((await rule())?.checks, { mode: 'active' })
    await write('PUT', 'services/shop/content-rules/admin', { 'web-firewall-policy': 'tight' })
    const { policies = {} } = await snapshot()
    const { mode, own } = (await rule())?.checks ?? {}
    assert.equal(mode, 'active')
    assert.equal(policies[own?.policy ?? '']?.name, 'tight')
    assert.equal(own?.cookieSecurity?.does, 'encrypt')
    await write('PUT', 'services/shop/content-rules/admin', { mode: 'Passive' })
    assert.equal((await rule())?.checks?.mode, 'passive')
    await write('PUT', 'services/shop/basic-security', { mode: 'Active' })
    assert.equal((await rule())?.checks?.mode, 'active', 'no rule is milder than its service')
    await write('PUT', 'services/shop/basic-security', { 'web-firewall-policy': 'tight' })
    assert.equal((await rule())?.checks, undefined, 'it is what the service says')
    await write('PUT', 'services/shop/advanced-configuration', { 'enable-web-application-firewall': 'No' })
    await write('PUT', 'services/shop/basic-security', { 'web-firewall-policy': 'default', mode: 'Passive' })
    assert.equal((await rule())?.checks, undefined, 'nothing is judged')
    await write('PUT', 'services/shop/advanced-configuration', { 'enable-web-application-firewall': 'Yes' })
    const { status } = await client.call('DELETE', 'services/shop/content-rules/admin')
    assert.equal(status, 200)
  })

  test('the policy of a fresh installation, once for all services', async () => {
    const { services, policies = {} } = await snapshot()
    assert.equal(Object.keys(policies).length, 1)
    assert.equal(new Set(services.map(({ policy }) => policy)).size, 1)
    const { policy } = await publishedShop()
    assert.deepEqual(policy?.actions['sql-injection-in-parameter'], {
      category: 'SQL Attacks',
      denies: true,
      logs: true,
      denial: 0,
    })
    assert.deepEqual(
      [policy?.actions['tilde-in-url-path']?.denies, Object.keys(policy?.actions ?? {}).length > 100],
      [false, true],
    )
    const [denial] = policy?.denials ?? []
    assert.equal(denial?.kind === 'page' && denial.page.status, 403)
    assert.equal(policy?.requestLimits?.urlBytes, 16_384)
    assert.ok(policy?.urlProtection?.methods.includes('OPTIONS'))
    assert.deepEqual(policy?.urlProtection?.contentTypes, ['*'])
    assert.equal(policy?.urlProtection?.attackTypes.ofRules.length, 7)
    assert.deepEqual(policy?.urlProtection?.attackTypes.patterns, [])
    const { parameterProtection: parameters } = policy ?? {}
    assert.equal(parameters?.deniedCharacters, '\x00\x04\x08\x7f')
    const { refused, ...uploads } = parameters?.uploads ?? {}
    assert.deepEqual(uploads, { by: 'extension', allowed: ['*'], fileBytes: 52_428_800 })
    assert.ok(refused?.includes('php') && refused.includes('jsp'))
    assert.deepEqual(policy?.hiddenErrors?.page.status, 503)
    assert.deepEqual(policy?.normalization, {
      charset: 'utf-8',
      decodesTwice: false,
      narrowsCharacters: false,
      parameterSeparators: '&',
    })
  })

  test('the documented limits of the policy strict', async () => {
    await write('PUT', 'services/shop/basic-security', { 'web-firewall-policy': 'strict' })
    const { policy } = await publishedShop()
    assert.equal(policy?.name, 'strict')
    assert.equal(policy.requestLimits?.urlBytes, 4096)
    assert.deepEqual(policy.urlProtection?.methods, ['GET', 'POST', 'HEAD'])
    assert.equal(policy.parameterProtection?.deniedCharacters, '\x00\x01\x04\x1b\x08\\\x7f')
    assert.deepEqual(policy.parameterProtection.uploads, {
      by: 'extension',
      allowed: ['jpg', 'gif', 'pdf'],
      fileBytes: 1_048_576,
    })
    await write('PUT', 'services/shop/basic-security', { 'web-firewall-policy': 'default' })
  })

  test('what administrators change of it, and what is not looked for', async () => {
    await write('POST', 'attack-types', { name: 'mine' })
    await write('POST', 'attack-types/mine/attack-patterns', { name: 'word', regex: 'forbidden' })
    await write('POST', 'attack-types/mine/attack-patterns', { name: 'ahead', regex: 'a(?=b)' })
    await write('POST', 'attack-types/mine/attack-patterns', { name: 'off', regex: 'x', mode: 'Off' })
    await write('POST', 'attack-types/SQL Injection/attack-patterns', { name: 'own', regex: 'y' })
    await write('PUT', 'security-policies/default/url-protection', {
      'allowed-methods': ['GET'],
      'blocked-attack-types': ['SQL Injection', 'SQL Injection strict'],
      'custom-blocked-attack-types': ['mine'],
      'exception-patterns': ['comment', '942100'],
    })
    await write('PUT', 'security-policies/default/action-policies/url-length-exceeded', {
      action: 'Protect with no Log',
      'deny-response': 'Permanent Redirect',
      'redirect-url': 'https://www.example.com/',
      'follow-up-action': 'Block Client-IP',
      'follow-up-action-time': 30,
    })
    const { policy } = await publishedShop()
    const { ofRules, patterns, exceptRules } = policy?.urlProtection?.attackTypes ?? {}
    assert.deepEqual([ofRules, exceptRules], [['SQL Injection'], [942_100]])
    assert.deepEqual(
      patterns?.map(({ name }) => name),
      ['own', 'change-of-data', 'hexadecimal-text', 'quote-and-keyword', 'select-from', 'word'],
    )
    const action = policy?.actions['url-length-exceeded']
    assert.deepEqual([action?.logs, action?.followUp], [false, { does: 'block', seconds: 30 }])
    assert.deepEqual(policy?.denials[action?.denial ?? 0], {
      kind: 'redirect',
      status: 301,
      location: 'https://www.example.com/',
    })
  })

  test('access rules, most specific first, and what else services say', async () => {
    for (const [name, more] of [
      ['all', { action: 'Allow and Log' }],
      ['late', { url: '/admin/*', 'extended-match-sequence': 5 }],
      ['early', { url: '/admin/*', 'extended-match-sequence': 2 }],
      ['exact', { url: '/admin/', host: 'shop.example', 'deny-response': 'Reset' }],
      ['off', { enable: 'Off' }],
    ] as const)
      await write('POST', 'services/shop/url-acls', { name, action: 'Deny and Log', ...more })
    await write('POST', 'trusted-host-groups', { name: 'us' })
    for (const [name, more] of [
      ['four', { 'ip-address': '192.0.2.0', mask: '255.255.255.0' }],
      ['six', { version: 'IPv6', 'ipv6-address': '2001:db8::', 'ipv6-mask': 'ffff:ffff::' }],
    ] as const)
      await write('POST', 'trusted-host-groups/us/trusted-hosts', { name, ...more })
    await write('PUT', 'services/shop/basic-security', {
      'trusted-hosts-group': 'us',
      'trusted-hosts-action': 'Passive',
      'client-ip-addr-header': 'X-Real-IP',
      'rate-control-status': 'On',
      'rate-control-pool': 'default-pool',
    })
    await write('PUT', 'services/shop/ip-reputation', {
      'enable-ip-reputation-filter': 'On',
      'custom-blacklisted-ip-status': 'Block',
    })
    const list = await client.call('PUT', 'custom-ip-blocklist', {
      'blacklisted-ips': '198.51.100.1, 203.0.113.0/24',
    })
    assert.equal(list.status, 200, list.text)
    await write('PUT', 'services/shop/referer-spam', {
      status: 'On',
      'exception-patterns': ['https://a.example/*'],
    })
    await write('PUT', 'services/shop/session-tracking', {
      status: 'On',
      'max-sessions-per-ip': 5,
      identifiers: ['PHPSESSID-session'],
    })
    const { checks } = await publishedShop()
    assert.deepEqual(
      checks?.urlAcls.map(({ name, does, denial }) => [name, does, denial.kind]),
      [
        ['exact', 'deny', 'close'],
        ['early', 'deny', 'page'],
        ['late', 'deny', 'page'],
        ['all', 'allow', 'page'],
      ],
    )
    assert.deepEqual(checks?.trusted, { does: 'passive', clients: ['192.0.2.0/24', '2001:db8::/32'] })
    assert.equal(checks?.clientAddressHeader, 'x-real-ip')
    assert.deepEqual(checks?.blockedClients, ['198.51.100.1', '203.0.113.0/24'])
    assert.deepEqual([checks?.requestPool?.name, checks?.requestPool?.activeMax], ['default-pool', 100])
    assert.deepEqual(
      [checks?.refererSpam?.exceptions, (checks?.refererSpam?.patterns.length ?? 0) > 4],
      [['https://a.example/*'], true],
    )
    assert.deepEqual(
      [checks?.sessions?.sessions, checks?.sessions?.tokens],
      [5, [{ in: 'cookie', by: 'whole', name: 'PHPSESSID', startDelimiter: '=', endDelimiter: ';' }]],
    )
  })

  test('profiles, with what classes of parameters mean', async () => {
    await write('POST', 'custom-parameter-classes', {
      name: 'Codes',
      'input-type-validation': 'Alpha',
      'denied-metacharacters': '%3c',
      'blocked-attack-types': [],
    })
    await write('POST', 'services/shop/url-profiles', { name: 'search', url: '/search', mode: 'Active' })
    for (const [name, more] of [
      ['code', { 'parameter-class': 'Codes', 'allowed-metachars': '' }],
      ['count', { 'parameter-class': 'Integer', 'allowed-metachars': '%5c' }],
      ['sort', { 'parameter-class': 'Generic', type: 'Global Choice', values: ['up', 'down'] }],
    ] as const)
      await write('POST', 'services/shop/url-profiles/search/parameter-profiles', {
        name,
        parameter: name,
        ...more,
      })
    const { checks } = await publishedShop()
    const [search] = checks?.profiles?.urls ?? []
    assert.deepEqual([search?.isPassive, search?.methods], [false, ['GET', 'POST', 'HEAD']])
    const [code, count, sort] = search?.parameterProfiles ?? []
    assert.deepEqual([code?.shapes, code?.deniedCharacters], [['^[A-Za-z]*$'], '<'])
    assert.deepEqual(code?.inputPatterns, [{ regex: '^[A-Za-z]*$', isCaseSensitive: false }])
    assert.deepEqual([count?.shapes.length, count?.deniedCharacters.includes('\\')], [1, false])
    assert.deepEqual(sort?.values, ['up', 'down'])
  })

  test('nothing where the service is not inspected', async () => {
    await write('PUT', 'services/blog/advanced-configuration', { 'enable-web-application-firewall': 'No' })
    const { services } = await snapshot()
    const blog = services.find(({ name }) => name === 'blog')
    assert.deepEqual([blog?.policy, blog?.checks], [undefined, undefined])
  })

  test('what nobody does of it is told by name where the service is asked how it fares', async () => {
    await write('POST', 'services/blog/url-policies', {
      name: 'upload',
      url: '/upload',
      'enable-virus-scan': 'Yes',
    })
    await write('PUT', 'services/blog/basic-security', { 'web-firewall-policy': 'oracle' })
    await write('PUT', 'security-policies/oracle/client-profile', { 'client-profile': 'Yes' })
    await write('PUT', 'security-policies/oracle/action-policies/method-not-allowed', {
      'follow-up-action': 'Block Client Fingerprint',
    })
    const report: ProxyReport = {
      proxy: 'p1',
      version: 1,
      digest: (await snapshot()).digest,
      problem: '',
      rulesProblem: '',
      services: [{ name: 'blog', isUp: true, reason: '', servers: [] }],
    }
    assert.equal((await asProxy(proxyAddresses.report, report)).status, 204)
    const { data } = (await client.get('services/blog?category=operational')).json
    const [members] = Object.values(data as Record<string, Record<string, string>>)
    assert.equal(
      members?.['status-reason'],
      'Kept, not enforced yet: url-policies/upload enable-virus-scan. ' +
        'Kept, not enforced yet of the policy oracle: client-profile client-profile, ' +
        'action-policies/method-not-allowed follow-up-action Block Client Fingerprint.',
    )
  })
})
