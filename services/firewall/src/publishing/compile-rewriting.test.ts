import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { type ProxySnapshot, proxyAddresses, type SnapshotService } from '@palisade/proxy-protocol'
import { callAsProxy } from '../testing/as-proxy.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('what proxies are told to rewrite, seal, compress and keep', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-rewriting-'))
  const clock = settableClock()
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore(), dataDirectory, clock })
    client = await logIn(served.baseUrl)
    await write('POST', 'services', { name: 'shop', 'ip-address': '127.0.0.9', port: 8081 })
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const write = async (method: string, path: string, body: object) => {
    const { status, text } = await client.call(method, path, body)
    assert.ok(status === 200 || status === 201, text)
  }
  const shop = async (): Promise<SnapshotService | undefined> => {
    const { json } = await callAsProxy(served, dataDirectory, proxyAddresses.snapshot)
    return (json as unknown as ProxySnapshot).services[0]
  }

  test('nothing while nothing is configured', async () => {
    const { urlEncryption, rewriting, compression, caching, cookieSecurity } = (await shop()) ?? {}
    assert.deepEqual(
      [urlEncryption, rewriting, compression, caching, cookieSecurity],
      [undefined, undefined, undefined, undefined, undefined],
    )
  })

  test('how the policy strict protects cookies', async (t) => {
    await write('PUT', 'services/shop/basic-security', { 'web-firewall-policy': 'strict' })
    t.after(() => write('PUT', 'services/shop/basic-security', { 'web-firewall-policy': 'default' }))
    const { cookieSecurity } = (await shop()) ?? {}
    const { keys, exempted, ...rest } = cookieSecurity ?? {}
    assert.equal(Buffer.from(keys?.[0]?.secret ?? '', 'base64url').length, 32)
    assert.ok(exempted?.includes('__utma'))
    assert.deepEqual(rest, {
      does: 'sign',
      ageMaxSeconds: 86_400,
      bindsToAddress: true,
      bindsToHeaders: [],
      takesUnsealedDays: 7,
      adds: { httpOnly: false, secure: false },
    })
  })

  test('the rules of URL encryption, most specific first, once it is switched on', async () => {
    for (const [name, url, more] of [
      ['all', '/*', {}],
      ['shop', '/shop/*', { 'allow-unencrypted-requests': 'Yes', 'exclude-urls': ['*.jpg'] }],
      ['off', '/off/*', { status: 'Off' }],
    ] as const) {
      await write('POST', 'services/shop/url-encryption-rules', { name, host: '*', url, ...more })
    }
    assert.equal((await shop())?.urlEncryption, undefined)
    await write('PUT', 'services/shop/url-encryption', { status: 'On' })
    const { keys = [], rules } = (await shop())?.urlEncryption ?? {}
    assert.deepEqual(rules, [
      { name: 'shop', host: '*', url: '/shop/*', allowsPlainRequests: true, excludedUrls: ['*.jpg'] },
      { name: 'all', host: '*', url: '/*', allowsPlainRequests: false, excludedUrls: [] },
    ])
    assert.ok(keys.length > 2)
    assert.equal(new Set(keys.map(({ secret }) => secret)).size, keys.length)
  })

  test('another key after a week, which was known before, and the older ones for weeks', async () => {
    const keysNow = async () => (await shop())?.urlEncryption?.keys ?? []
    const before = await keysNow()
    clock.advance(7 * 86_400_000)
    client = await logIn(served.baseUrl)
    const later = await keysNow()
    assert.notEqual(later[0]?.secret, before[0]?.secret)
    assert.ok(before.some(({ secret }) => secret === later[0]?.secret))
    clock.advance(3 * 7 * 86_400_000)
    assert.ok((await keysNow()).some(({ secret }) => secret === before[0]?.secret))
    clock.advance(2 * 7 * 86_400_000)
    assert.ok(!(await keysNow()).some(({ secret }) => secret === before[0]?.secret))
    client = await logIn(served.baseUrl)
  })

  test('rewriting rules in their sequence', async () => {
    await write('POST', 'services/shop/http-request-rewrite-rules', {
      name: 'second',
      'sequence-number': 20,
      action: 'Rewrite URL',
      condition: '(Method eq GET)',
      'old-value': '/old/*',
      'rewrite-value': '/new/$1',
      'continue-processing': 'No',
    })
    await write('POST', 'services/shop/http-request-rewrite-rules', {
      name: 'first',
      'sequence-number': 10,
      header: 'X-Client',
      'rewrite-value': '$SRC_ADDR',
    })
    await write('POST', 'services/shop/http-response-rewrite-rules', {
      name: 'quiet',
      'sequence-number': 1,
      action: 'Remove Header',
      header: 'Server',
    })
    await write('POST', 'services/shop/response-body-rewrite-rules', {
      name: 'text',
      'sequence-number': 1,
      host: '*',
      url: '/*',
      'search-string': 'a',
      'replace-string': 'b',
    })
    await write('POST', 'services/shop/url-translations', {
      name: 'wiki',
      'inside-domain': 'wiki.internal',
      'inside-prefix': '/',
      'outside-domain': 'www.example.com',
      'outside-prefix': '/wiki/',
    })
    await write('PUT', 'services/shop/clickjacking', { status: 'On', options: 'Never' })
    await write('PUT', 'services/shop/instant-ssl', {
      status: 'On',
      'secure-site-domain': ['www.example.com'],
    })
    assert.deepEqual((await shop())?.rewriting, {
      requests: [
        {
          does: 'insert-header',
          header: 'X-Client',
          condition: '*',
          oldValue: '',
          newValue: '$SRC_ADDR',
          continues: true,
        },
        {
          does: 'rewrite-url',
          condition: '(Method eq GET)',
          oldValue: '/old/*',
          newValue: '/new/$1',
          continues: false,
        },
      ],
      responses: [
        {
          does: 'remove-header',
          header: 'Server',
          condition: '*',
          oldValue: '',
          newValue: '',
          continues: true,
        },
      ],
      bodies: [{ host: '*', url: '/*', search: 'a', replacement: 'b' }],
      translations: [
        {
          inside: { host: 'wiki.internal', prefix: '/' },
          outside: { host: 'www.example.com', prefix: '/wiki/' },
        },
      ],
      secureHosts: ['www.example.com'],
      frames: { by: 'never' },
    })
  })

  test('compression and caching in bytes and seconds', async () => {
    await write('PUT', 'services/shop/compression', {
      status: 'On',
      'content-types': ['text[/]html', 'text/CSS', 'application/atom+xml', 'image/*'],
      'min-size': 100,
    })
    await write('PUT', 'services/shop/caching', {
      status: 'On',
      'file-extensions': ['CSS'],
      'max-size': 2,
      'expiry-age': 3,
    })
    const { compression, caching } = (await shop()) ?? {}
    const contentTypes = ['text[/]html', 'text/css', String.raw`application/atom\+xml`, 'image/.*']
    assert.deepEqual(compression, { contentTypes, unknownTypes: false, sizeMin: 100 })
    assert.deepEqual(caching, {
      extensions: ['css'],
      sizeMin: 256,
      sizeMax: 2048,
      ageSeconds: 180,
      keepsErrors: false,
      ignoresRequestHeaders: false,
      ignoresResponseHeaders: false,
    })
    await write('POST', 'services/shop/content-rules', {
      name: 'files',
      'host-match': '*',
      'url-match': '/files/*',
    })
    await write('PUT', 'services/shop/content-rules/files/compression', {
      status: 'On',
      'content-types': ['text[/]css'],
      'compress-unknown-content-types': 'Yes',
    })
    const [rule] = (await shop())?.contentRules ?? []
    assert.deepEqual(rule?.compression, { contentTypes: ['text[/]css'], unknownTypes: true, sizeMin: 8192 })
    assert.equal(rule?.caching, undefined)
  })

  test("the members of a policy's cookie security, and the key that administrators have set", async () => {
    const before = (await shop())?.cookieSecurity?.keys[0]?.secret
    await write('PUT', 'security-policies/default/cookie-security', {
      'tamper-proof-mode': 'Encrypted',
      'cookie-replay-protection-type': 'IP and Custom Headers',
      'custom-headers': ['User-Agent'],
      'allow-unrecognized-cookies': 'Never',
      'secure-cookie': 'Yes',
      'same-site': 'Strict',
    })
    const own = 'k'.repeat(128)
    await write('PUT', 'system/encryption-key', {
      'cookie-encryption-key': own,
      'key-expiry': '2030-01-01 00:00:00',
    })
    const { does, bindsToHeaders, takesUnsealedDays, adds, keys } = (await shop())?.cookieSecurity ?? {}
    assert.deepEqual([does, bindsToHeaders, takesUnsealedDays], ['encrypt', ['user-agent'], 0])
    assert.deepEqual(adds, { httpOnly: false, secure: true, sameSite: 'Strict' })
    assert.notEqual(keys?.[0]?.secret, before)
    assert.ok(!JSON.stringify(await shop()).includes(own))
  })

  test('Content Security Policies become headers, of rules in their order', async (t) => {
    const at = 'services/shop/client-side-protection'
    t.after(async () => {
      for (const name of ['all', 'checkout']) await client.call('DELETE', `${at}/${name}`)
    })
    await write('POST', at, { name: 'all', host: '*', url: '/*' })
    await write('POST', `${at}/all/csp-policies`, { 'csp-policy-name': 'watch', 'img-src': ['Self', 'Data'] })
    await write('POST', at, { name: 'checkout', host: '*', url: '/checkout/*' })
    await write('POST', `${at}/checkout/csp-policies`, {
      'csp-policy-name': 'strict',
      'csp-mode': 'Block',
      'default-src': ['Self'],
      'script-src': ['Self', 'Include Nonce', 'Unsafe Hashes'],
      'script-src-host-list': 'https://cdn.example.com,https://ümlaut.example  https://static.example.com',
      'frames-ancestors': ['None'],
      'style-except-inline-attr': ['Unsafe Inline'],
      'img-src': ['All'],
      'base-uri': ['Self'],
      'base-uri-document': ['https://shop.example.com/'],
      'sand-box': ['Allow Forms', 'Allow Same Origin'],
      'upgrade-unsecure-req': 'Yes',
      'report-only': ['img-src'],
      'report-uri': '/csp',
      'report-to': 'group',
    })
    await write('POST', `${at}/checkout/csp-policies`, {
      'csp-policy-name': 'off',
      status: 'Off',
      'font-src': ['None'],
    })
    const rules = (await shop())?.rewriting?.contentSecurity ?? []
    assert.deepEqual(
      rules.map(({ url, blocking, reporting }) => ({ url, blocking, reporting })),
      [
        {
          url: '/checkout/*',
          blocking: [
            "default-src 'self'; frame-ancestors 'none'; " +
              "script-src 'self' 'unsafe-hashes' https://cdn.example.com https://static.example.com; " +
              "style-src-elem 'unsafe-inline'; base-uri 'self' https://shop.example.com/; " +
              'sandbox allow-forms allow-same-origin; upgrade-insecure-requests; report-uri /csp; report-to group',
          ],
          reporting: ['img-src *; report-uri /csp; report-to group'],
        },
        { url: '/*', blocking: [], reporting: ["img-src 'self' data:"] },
      ],
    )
  })

  test('a condition that nobody understands is told where the service is asked how it fares', async () => {
    await write('POST', 'services/shop/http-request-rewrite-rules', {
      name: 'odd',
      'sequence-number': 30,
      header: 'X',
      condition: 'Colour eq red',
      'old-value': '(a)\\1',
    })
    await callAsProxy(served, dataDirectory, proxyAddresses.report, {
      proxy: 'p1',
      version: 1,
      digest: '',
      problem: '',
      rulesProblem: '',
      services: [{ name: 'shop', isUp: true, reason: '', servers: [] }],
    })
    const { text } = await client.get('services/shop?category=operational')
    assert.match(text, /The condition of http-request-rewrite-rules odd is not understood: /)
    assert.match(text, /The old-value of http-request-rewrite-rules odd is not understood: /)
  })
})
