import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createLog, type HttpService } from '@palisade/platform'
import { onEveryStore, type ServedService, serveOnLoopback, settableClock } from '@palisade/platform/testing'
import { type ProxyReport, type ProxySnapshot, proxyAddresses } from '@palisade/proxy-protocol'
import { catalogue } from '../catalogue/index.ts'
import { type CompiledKind, compileCatalogue } from '../kinds/compiled-kind.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { completeContent } from '../objects/content.ts'
import { Snapshot } from '../objects/snapshot.ts'
import { callAsProxy } from '../testing/as-proxy.ts'
import { type Client, logIn } from '../testing/client.ts'
import { firewallService } from '../testing/firewall.ts'
import { ineffectiveSettings } from './ineffective-settings.ts'

const report: ProxyReport = {
  proxy: 'p1',
  version: 1,
  digest: '',
  problem: '',
  rulesProblem: '',
  services: [{ name: 'shop', isUp: true, reason: '', servers: [] }],
}

onEveryStore('the status of a service names', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-ineffective-'))
  const clock = settableClock()
  let firewall: HttpService
  let served: ServedService
  let client: Client
  before(async () => {
    firewall = await firewallService({ store: await newStore(), dataDirectory, clock })
    served = await serveOnLoopback(firewall, { log: createLog('silent') })
    client = await logIn(served.baseUrl)
    await write('POST', 'self-signed-certificate', {
      name: 'site',
      'common-name': 'www.example.com',
      'country-code': 'DE',
      'key-type': 'ECDSA',
    })
    await write('POST', 'services', {
      name: 'shop',
      type: 'HTTPS',
      'ip-address': '127.0.0.9',
      port: 8443,
      certificate: 'site',
    })
    assert.equal((await asProxy(proxyAddresses.report, report)).status, 204)
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const asProxy = (path: string, body?: object) => callAsProxy(served, dataDirectory, path, body)
  const write = async (method: string, path: string, body: object) => {
    const { status, text } = await client.call(method, path, body)
    assert.ok(status === 200 || status === 201, text)
  }
  const reason = async () => {
    const { data } = (await client.get('services/shop?category=operational')).json
    const [members] = Object.values(data as Record<string, Record<string, string>>)
    return members?.['status-reason'] ?? ''
  }
  const publishedShop = async () => {
    const { services } = (await asProxy(proxyAddresses.snapshot)).json as unknown as ProxySnapshot
    return services.find(({ name }) => name === 'shop')
  }

  test('a block list is read in lines, and takes only what names a client', async () => {
    await write('PUT', 'services/shop/ip-reputation', {
      'enable-ip-reputation-filter': 'On',
      'custom-blacklisted-ip-status': 'Block',
    })
    const list = '198.51.100.0/24\n2001:db8:bad::/48, 192.0.2.1 - 192.0.2.9'
    await write('PUT', 'custom-ip-blocklist', { 'blacklisted-ips': list })
    assert.deepEqual((await publishedShop())?.checks?.blockedClients, [
      '198.51.100.0/24',
      '2001:db8:bad::/48',
      '192.0.2.1-192.0.2.9',
    ])
    let refused = 0
    for (const wrong of ['192.0.2.0/33', '192.0.2', '192.0.2.9-192.0.2.1', '192.0.2.1-::1', 'bad', '1-2-3']) {
      const { status, json } = await client.call('PUT', 'custom-ip-blocklist', { 'blacklisted-ips': wrong })
      assert.equal(status, 406, wrong)
      assert.match(json.msg ?? '', /blacklisted-ips/)
      refused++
    }
    assert.equal(refused, 6)
  })

  test('a weight of a server counts where it is given, and nobody says that it is only kept', async () => {
    const server = { name: 'one', 'ip-address': '127.0.0.1', port: 8081, weight: 7 }
    await write('POST', 'services/shop/servers', server)
    assert.equal((await publishedShop())?.servers[0]?.weight, 7)
    const { data } = (await client.get('services/shop/servers/one?category=operational')).json
    const [members] = Object.values(data as Record<string, Record<string, string>>)
    assert.equal(members?.['status-reason'], 'No traffic has gone there yet.')
    await client.call('DELETE', 'services/shop/servers/one')
  })

  test('a block list that proxies download, and one of which nobody says where it is', async () => {
    assert.doesNotMatch(await reason(), /custom-ip-blocklist/)
    await write('PUT', 'custom-ip-blocklist', { 'custom-ip-list': 'Download' })
    assert.match(await reason(), /Nobody is blocked by custom-ip-blocklist: .* no download-url/)
    assert.equal((await publishedShop())?.checks?.downloadedBlocklist, undefined)
    await write('PUT', 'custom-ip-blocklist', { 'download-url': 'https://lists.example/bad' })
    assert.doesNotMatch(await reason(), /custom-ip-blocklist/)
    const { blockedClients, downloadedBlocklist } = (await publishedShop())?.checks ?? {}
    assert.deepEqual(blockedClients, [])
    const { forbidden, ...source } = downloadedBlocklist ?? {}
    assert.deepEqual(source, {
      url: 'https://lists.example/bad',
      validatesCertificate: true,
      authorities: [],
    })
    assert.ok(forbidden?.networks.includes('169.254.0.0/16'))
    await write('PUT', 'services/shop/ip-reputation', { 'custom-blacklisted-ip-status': 'Allow' })
    assert.equal((await publishedShop())?.checks?.downloadedBlocklist, undefined)
  })

  test('certificates of clients that are asked for by rule only, or trusted by no authority', async () => {
    await write('POST', 'services/shop/allow-deny-clients', { name: 'staff', action: 'Deny', sequence: 1 })
    assert.match(await reason(), /The rules of allow-deny-clients keep nobody out/)
    const section = 'services/shop/ssl-client-authentication'
    await write('PUT', section, { 'client-authentication': 'For Selected Rule(s)' })
    assert.match(
      await reason(),
      /client-certificate-for-rule of ssl-client-authentication names no content rule/,
    )
    const rule = { name: 'staff', 'host-match': '*', 'url-match': '/staff/*', status: 'Off' }
    await write('POST', 'services/shop/content-rules', rule)
    await write('PUT', section, { 'client-certificate-for-rule': ['staff'] })
    assert.match(await reason(), /Nobody needs a certificate for the content rule staff: it is switched off/)
    await write('PUT', 'services/shop/content-rules/staff', { status: 'On' })
    assert.doesNotMatch(await reason(), /content rule staff/)
    await write('PUT', section, { 'client-certificate-for-rule': [] })
    await write('PUT', section, { 'client-authentication': 'For Service' })
    const status = await reason()
    assert.doesNotMatch(status, /allow-deny-clients|For Selected/)
    assert.match(status, /The certificate of no client is trusted/)
  })

  test('a domain for which no certificate is named', async () => {
    await write('PUT', 'services/shop/ssl-security', {
      'enable-sni': 'Yes',
      domain: ['a.example', 'b.example'],
      'sni-certificate': ['site'],
    })
    const sentence = await reason()
    assert.match(sentence, /No certificate of its own is shown for the domain b\.example/)
    assert.doesNotMatch(sentence, /a\.example/)
  })

  test('an access rule that sends clients nowhere', async () => {
    await write('POST', 'services/shop/url-acls', {
      name: 'away',
      url: '/old/*',
      action: 'Permanent Redirect',
    })
    assert.deepEqual((await publishedShop())?.checks?.urlAcls, [])
    assert.match(await reason(), /The rule away of url-acls does nothing: it has no redirect-url/)
  })

  test('challenges that nobody is asked for, and that are not made here', async () => {
    await write('POST', 'services/shop/ddos-policies', {
      name: 'flood',
      'enforce-captcha': 'Suspicious clients only',
      'mouse-check': 'On',
    })
    await write('PUT', 'services/shop/captcha-settings', { 'recaptcha-type': 'reCAPTCHA v2' })
    await write('POST', 'services/shop/ddos-policies', { name: 'odd', 'extended-match': '(' })
    const passive = await reason()
    assert.match(passive, /The policy flood of ddos-policies challenges nobody: no client is suspicious/)
    assert.match(passive, /captcha-settings recaptcha-type reCAPTCHA v2/)
    assert.match(passive, /ddos-policies\/flood mouse-check/)
    assert.match(passive, /The extended-match of ddos-policies odd is not understood/)
    await write('PUT', 'services/shop/basic-security', { mode: 'Active' })
    assert.doesNotMatch(await reason(), /challenges nobody/)
    await write('PUT', 'response-pages/default-captcha-response-page', { body: 'Type the characters.' })
    assert.match(await reason(), /default-captcha-response-page is not shown: %challenge is not in its body/)
  })

  test('what nobody does of a web scraping policy that it names', async () => {
    await write('POST', 'web-scraping-policies', {
      name: 'copies',
      'insert-hidden-links': 'Yes',
      'detect-mouse-event': 'Yes',
      'whitelisted-bots': ['Google'],
    })
    assert.doesNotMatch(await reason(), /web scraping/, 'nothing names it yet')
    await write('POST', 'services/shop/url-policies', {
      name: 'pages',
      url: '/*',
      'web-scraping-policy': 'copies',
    })
    assert.match(await reason(), /of the web scraping policy copies: detect-mouse-event\./)
    await write('PUT', 'services/shop/ip-reputation', {
      'enable-ip-reputation-filter': 'On',
      'fake-crawler': 'Block',
    })
    const snapshot = JSON.parse((await asProxy(proxyAddresses.snapshot)).text) as ProxySnapshot
    const { crawlers, policies } = snapshot.services.find(({ name }) => name === 'shop')?.checks?.bots ?? {}
    assert.ok(
      crawlers?.some(({ userAgent, hosts }) => userAgent === 'bingbot' && hosts[0] === '*.search.msn.com'),
    )
    assert.deepEqual(
      policies?.map(({ name, hidesLink, forbidsUrl, welcome }) => [
        name,
        hidesLink,
        forbidsUrl,
        welcome.length,
      ]),
      [['copies', true, false, 1]],
    )
  })

  test('requests that are kept of a service that is not inspected', async () => {
    await client.call('PUT', 'services/shop/stored-traffic', { status: 'On' })
    await client.call('PUT', 'services/shop/advanced-configuration', {
      'enable-web-application-firewall': 'No',
    })
    assert.match(await reason(), /What stored-traffic keeps cannot be tried/)
    await client.call('PUT', 'services/shop/advanced-configuration', {
      'enable-web-application-firewall': 'Yes',
    })
    await client.call('PUT', 'services/shop/stored-traffic', { status: 'Off' })
    assert.doesNotMatch(await reason(), /stored-traffic/)
  })

  test('patterns that no proxy runs, of types that the service names by its policy or profiles', async () => {
    await write('POST', 'attack-types', { name: 'own' })
    await write('POST', 'attack-types/own/attack-patterns', { name: 'ahead', regex: 'a(?=b)' })
    assert.doesNotMatch(await reason(), /ahead/, 'nothing names the type yet')
    await write('POST', 'services/shop/header-acls', {
      name: 'agent',
      'header-name': 'User-Agent',
      'custom-blocked-attack-types': ['own'],
    })
    assert.match(await reason(), /Nothing is searched for the pattern ahead of own: .*looks around/)
    await write('PUT', 'attack-types/own/attack-patterns/ahead', { regex: 'ab' })
    assert.doesNotMatch(await reason(), /ahead/)
  })

  test('a certificate that ends within three weeks or has ended, and the operator learns it without names', async () => {
    assert.doesNotMatch(await reason(), /certificate site/)
    assert.deepEqual(firewall.warnings?.(), [])
    clock.advance(805 * 86_400_000)
    client = await logIn(served.baseUrl)
    await asProxy(proxyAddresses.report, report)
    assert.match(await reason(), /The certificate site expires on 2032-04-\d\d: replace it\./)
    const [warning, ...others] = firewall.warnings?.() ?? []
    assert.equal(warning?.condition, 'certificate-expiry')
    assert.match(warning?.message ?? '', /^Certificates of 1 firewall services have expired or will/)
    assert.deepEqual(others, [])
    clock.advance(30 * 86_400_000)
    client = await logIn(served.baseUrl)
    await asProxy(proxyAddresses.report, report)
    assert.match(await reason(), /The certificate site has expired on/)
    await write('PUT', 'services/shop', { status: 'Off' })
    assert.deepEqual(firewall.warnings?.(), [])
  })
})

test('parts of a stored block list that name no client are told', () => {
  const kinds = compileCatalogue(catalogue)
  const [service, list] = ['service', 'custom-ip-blocklist'].map((name) => kinds.get(name) as CompiledKind)
  assert.ok(service && list)
  const warning = { 'enable-ip-reputation-filter': 'On', 'custom-blacklisted-ip-status': 'Block' }
  const shop = completeContent(service, { sections: { 'ip-reputation': warning } })
  const listed = completeContent(list, { values: { 'blacklisted-ips': '192.0.2.1, 192.0.2.0/33, bad' } })
  const snapshot = Snapshot.factory(kinds).with(
    [
      { kind: service, path: ['shop'], content: shop },
      { kind: list, path: [list.title], content: listed },
    ],
    1,
  )
  const sentences = ineffectiveSettings(
    snapshot.object(service, ['shop']) as ConfigurationObject,
    snapshot,
    snapshot.object(list, [list.title]),
  )
  assert.deepEqual(sentences, [
    'No client is meant by these parts of custom-ip-blocklist: 192.0.2.0/33, bad.',
  ])
})

test('forms that nothing protects although it is asked for are told', () => {
  const kinds = compileCatalogue(catalogue)
  const [service, profile, form] = ['service', 'url-profile', 'form-spam-form'].map(
    (name) => kinds.get(name) as CompiledKind,
  )
  assert.ok(service && profile && form)
  const sentencesOf = (sections: Readonly<Record<string, Values>>, hasForm = true) => {
    const objects = [
      { kind: service, path: ['shop'], content: completeContent(service, { sections }) },
      {
        kind: profile,
        path: ['shop', 'order'],
        content: completeContent(profile, { values: { url: '/order', 'csrf-prevention': 'Forms' } }),
      },
      ...(hasForm
        ? [
            {
              kind: form,
              path: ['shop', 'comments'],
              content: completeContent(form, { values: { 'action-url': '/comment' } }),
            },
          ]
        : []),
    ]
    const snapshot = Snapshot.factory(kinds).with(objects, 1)
    return ineffectiveSettings(snapshot.object(service, ['shop']) as ConfigurationObject, snapshot, undefined)
  }
  const unused = 'No form is protected by the URL profiles order: website-profile use-profile is No.'
  assert.deepEqual(sentencesOf({ 'website-profile': { 'use-profile': 'No' } }), [
    unused,
    'Programs are not kept from the forms of form-spam-forms: form-spam status is Off.',
  ])
  assert.deepEqual(
    sentencesOf({ 'website-profile': { 'use-profile': 'No' }, 'form-spam': { status: 'On' } }, false),
    [
      unused,
      'Programs are kept from no form: form-spam-forms has none, and form-spam autoconfigure-status is No.',
    ],
  )
  assert.deepEqual(sentencesOf({ 'form-spam': { status: 'On' } }), [])
})
