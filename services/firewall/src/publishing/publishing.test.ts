import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, send, settableClock } from '@palisade/platform/testing'
import {
  type ProxyReport,
  type ProxySnapshot,
  proxyAddresses,
  readSnapshot,
  type SnapshotService,
  snapshotFormat,
} from '@palisade/proxy-protocol'
import { callAsProxy } from '../testing/as-proxy.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { credentialFileName } from './credential.ts'

onEveryStore('what proxies are told', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-publishing-'))
  const clock = settableClock()
  let served: ServedService
  let client: Client
  let credential: string
  before(async () => {
    served = await serveFirewall({ store: await newStore(), dataDirectory, clock })
    client = await logIn(served.baseUrl)
    credential = readFileSync(join(dataDirectory, credentialFileName), 'utf8')
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const asProxy = (path: string, body?: unknown) => callAsProxy(served, dataDirectory, path, body)
  const snapshot = async (): Promise<ProxySnapshot> =>
    (await asProxy(proxyAddresses.snapshot)).json as unknown as ProxySnapshot
  const create = async (body: object) => {
    const { status, text } = await client.call('POST', 'services', body)
    assert.equal(status, 201, text)
  }
  const health = async (path: string) => {
    const { data } = (await client.get(`${path}?category=operational`)).json
    const [members] = Object.values(data as Record<string, Record<string, string>>)
    return [members?.['operational-status'], members?.['status-reason']]
  }

  test('has a format, and is refused with the reason to a proxy that reads older ones only', async () => {
    assert.equal((await snapshot()).format, snapshotFormat)
    const newer = await asProxy(`${proxyAddresses.snapshot}?format=${snapshotFormat + 1}`)
    assert.equal(readSnapshot(newer.text).format, snapshotFormat)
    const { status, json } = await asProxy(`${proxyAddresses.snapshot}?format=0`)
    assert.equal(status, 406)
    assert.equal(
      json.msg,
      `The proxy reads snapshots of format 0, and this management writes format ${snapshotFormat}: upgrade the proxy.`,
    )
  })

  test('is told to nobody without the credential, which lies in a file of its owner', async () => {
    for (const authorization of ['', 'Bearer wrong', `Basic ${credential}`]) {
      const reply = await send(`${served.baseUrl}${proxyAddresses.snapshot}`, { headers: { authorization } })
      assert.equal(reply.status, 401, authorization)
      assert.ok(!reply.text.includes(credential))
      for (const path of [proxyAddresses.learnt, proxyAddresses.report, proxyAddresses.logs]) {
        const headers = { authorization, 'content-type': 'application/json' }
        const reply = await fetch(`${served.baseUrl}${path}`, { method: 'POST', headers, body: '{}' })
        assert.equal(reply.status, 401, path)
      }
    }
    assert.equal(statSync(join(dataDirectory, credentialFileName)).mode & 0o777, 0o600)
  })

  test('has the members of a service that proxies obey', async () => {
    await create({ name: 'shop', 'ip-address': '127.0.0.9', port: 8081 })
    await client.call('POST', 'services/shop/servers', {
      name: 'one',
      'ip-address': '127.0.0.1',
      port: 9000,
    })
    await client.call('PUT', 'services/shop/slow-client-attack', { status: 'On', 'data-transfer-rate': 2 })
    await client.call('PUT', 'services/shop/sensitive-parameter-names', {
      'sensitive-parameter-names': 'password, card*',
    })
    const { services, policies = {} } = await snapshot()
    const [{ policy = '', checks, ...shop } = {} as Partial<SnapshotService>] = services
    assert.deepEqual([policies[policy]?.name, checks?.logLevel], ['default', 5])
    assert.deepEqual(
      [shop],
      [
        {
          name: 'shop',
          address: '127.0.0.9',
          port: 8081,
          does: 'forward',
          inspection: { mode: 'passive' },
          idleTimeoutSeconds: 60,
          requestsPerConnectionMax: 64,
          servers: [
            {
              name: 'one',
              host: '127.0.0.1',
              port: 9000,
              forbidden: { networks: ['169.254.0.0/16'], endpoints: [] },
              state: 'in-service',
              isBackup: false,
              weight: 1,
              offersHttp2: false,
              connectionsMax: 10_000,
              establishingMax: 100,
              waitingMax: 1_000,
              requestsPerConnectionMax: 0,
              keepAliveMs: 900_000,
              responseTimeoutMs: 300_000,
              health: {
                refusedMax: 10,
                timeoutsMax: 10,
                httpErrorsMax: 0,
                otherFailuresMax: 10,
                probe: { everySeconds: 10 },
              },
            },
          ],
          balancing: { algorithm: 'round-robin', whenServerFails: 'another' },
          contentRules: [],
          slowClients: {
            bytesPerSecond: 2048,
            request: { incrementalSeconds: 30, maxSeconds: 600 },
            response: { incrementalSeconds: 30, maxSeconds: 600 },
            exceptions: [],
          },
          maskedParameters: ['password', 'card*'],
          logsAccess: true,
          allowsWebSockets: false,
          expectsProxyHeader: false,
        },
      ],
    )
  })

  test('arrives as soon as a change was made, and stays the same when the change is none of theirs', async () => {
    const { digest, version } = await snapshot()
    const waiting = asProxy(`${proxyAddresses.snapshot}?except=${digest}`)
    await client.call('PUT', 'services/shop', { comments: 'nothing that proxies need' })
    await client.call('PUT', 'services/shop', { port: 8082 })
    const next = (await waiting).json as unknown as ProxySnapshot
    assert.equal(next.services[0]?.port, 8082)
    assert.equal(next.version, version + 2)
  })

  test('has a certificate with its key for a service that shows it', async () => {
    await client.call('POST', 'self-signed-certificate', {
      name: 'site',
      'common-name': 'www.example.com',
      'country-code': 'DE',
      'key-type': 'ECDSA',
    })
    await create({
      name: 'secure',
      type: 'HTTPS',
      'ip-address': '127.0.0.9',
      port: 8443,
      certificate: 'site',
    })
    const { services } = await snapshot()
    const tls = services.find(({ name }) => name === 'secure')?.tls
    assert.match(tls?.certificates[0]?.privateKey ?? '', /PRIVATE KEY/)
    assert.deepEqual([tls?.oldestVersion, tls?.newestVersion], ['TLSv1.2', 'TLSv1.3'])
  })

  test('has a key by which cookies name servers, the same for a service and its content rules', async () => {
    const cookies = { 'persistence-method': 'Cookie Insert' }
    await client.call('PUT', 'services/shop/load-balancing', cookies)
    const rule = { name: 'part', 'host-match': '*', 'url-match': '/part/*', status: 'On' }
    assert.equal((await client.call('POST', 'services/shop/content-rules', rule)).status, 201)
    await client.call('PUT', 'services/shop/content-rules/part/load-balancing', cookies)
    const shop = (await snapshot()).services.find(({ name }) => name === 'shop')
    const keys = [shop, ...(shop?.contentRules ?? [])].map((one) => {
      const persistence = one?.balancing.persistence
      return persistence?.by === 'cookie-insert' ? persistence.key : undefined
    })
    assert.equal(keys.length, 2)
    assert.match(keys[0] ?? '', /^[\w-]{43}$/)
    assert.equal(keys[1], keys[0])
    await client.call('DELETE', 'services/shop/content-rules/part')
    await client.call('PUT', 'services/shop/load-balancing', { 'persistence-method': 'None' })
  })

  test('leaves out what cannot be carried, and administrators see why', async () => {
    await create({ name: 'files', type: 'FTP', 'ip-address': '127.0.0.9', port: 21 })
    await create({ name: 'bare', type: 'HTTPS', 'ip-address': '127.0.0.9', port: 8444 })
    await create({ name: 'nowhere' })
    const { services } = await snapshot()
    assert.deepEqual(
      services.map(({ name }) => name),
      ['secure', 'shop'],
    )
    assert.match((await health('services/files')).join(), /Down,Services of the type FTP are not carried yet/)
    assert.match((await health('services/bare')).join(), /Down,.*needs a certificate/)
    assert.match((await health('services/nowhere')).join(), /Down,It has no ip-address/)
  })

  test('is what proxies report about, until they fall silent', async () => {
    const servers = [{ name: 'one', isUp: false, reason: 'It refuses connections.' }]
    const report: ProxyReport = {
      proxy: 'p1',
      version: 1,
      digest: (await snapshot()).digest,
      problem: '',
      rulesProblem: '',
      services: [{ name: 'shop', isUp: true, reason: '', servers }],
    }
    assert.equal((await asProxy(proxyAddresses.report, report)).status, 204)
    assert.deepEqual(await health('services/shop'), ['Up', ''])
    assert.deepEqual(await health('services/shop/servers/one'), ['Down', 'It refuses connections.'])
    assert.match((await health('services/secure')).join(), /Down,A proxy has not taken it over yet/)

    await client.call('PUT', 'services/shop/advanced-client-analysis', { 'advanced-analysis': 'Enable' })
    const warning = 'Kept, not enforced yet: advanced-client-analysis advanced-analysis.'
    assert.deepEqual(await health('services/shop'), ['Up', warning])
    await client.call('PUT', 'services/shop', { port: 8083 })
    const basic = 'services/shop/basic-security'
    await client.call('PUT', basic, { 'client-ip-addr-header': 'X-Real-IP' })
    assert.match(
      (await health('services/shop')).join(),
      /believed what it says of its address in X-Real-IP: name/,
    )
    const list = { 'proxy-list-status': 'Yes', 'proxy-list': ['192.0.2.1', '2001:db8::/32'] }
    await client.call('PUT', 'services/shop/advanced-configuration', list)
    assert.doesNotMatch((await health('services/shop')).join(), /believed|proxy-list/)
    const shop = async () => (await snapshot()).services.find(({ name }) => name === 'shop')
    const shopReport = await shop()
    assert.deepEqual(
      [shopReport?.trustedProxies, shopReport?.checks?.clientAddressHeader],
      [list['proxy-list'], 'x-real-ip'],
    )
    await client.call('PUT', 'system/advanced-settings', { 'client-ip-address-from-header': 'No' })
    assert.equal((await shop())?.checks?.clientAddressHeader, undefined)
    assert.match((await health('services/shop')).join(), /Up,The newest change is on its way/)

    clock.advance(60_000)
    assert.match((await health('services/shop')).join(), /Down,Nothing that carries traffic has reported/)
  })

  test('is no longer what a proxy reports about that has ended, so that nothing stays of what it told', async () => {
    const { version, digest } = await snapshot()
    const report = (proxy: string, isUp: boolean, reason: string) => ({
      proxy,
      version,
      digest,
      problem: '',
      rulesProblem: isUp ? '' : 'There are no rules.',
      services: [{ name: 'shop', isUp, reason, servers: [] }],
    })
    await asProxy(proxyAddresses.report, report('p1', false, 'Its port is taken.'))
    await asProxy(proxyAddresses.report, report('p2', true, ''))
    assert.match((await health('services/shop')).join(), /Down,Its port is taken\./)
    const last = { ...report('p1', false, ''), services: [], isLast: true }
    assert.equal((await asProxy(proxyAddresses.report, last)).status, 204)
    const [status, reason] = await health('services/shop')
    assert.equal(status, 'Up')
    assert.doesNotMatch(String(reason), /port is taken|taken it over/)
    clock.advance(60_000)
  })

  test('whoever changes a service that is shut for want of rules is told so, and how to get some', async () => {
    const rulesProblem = 'There are no rules. Install some.'
    const report = { proxy: 'p1', version: 1, digest: '', problem: '', services: [] }
    const changed = async (path: string, body: object) => {
      const { status, json } = await client.call('PUT', path, body)
      assert.equal(status, 200)
      assert.equal(json.msg, 'Configuration updated')
      return json.warning
    }
    const cases: [string, string, object, string | undefined][] = [
      [rulesProblem, 'services/shop/basic-security', { mode: 'Passive' }, undefined],
      [
        rulesProblem,
        'services/shop/basic-security',
        { mode: 'Active' },
        `The service shop refuses every request. ${rulesProblem}`,
      ],
      [
        rulesProblem,
        'services/shop/servers/one',
        { port: 9000 },
        `The service shop refuses every request. ${rulesProblem}`,
      ],
      [rulesProblem, 'services/shop', { status: 'Off' }, undefined],
      [rulesProblem, 'security-policies/default/url-protection', { 'max-parameters': 41 }, undefined],
      ['', 'services/shop', { status: 'On' }, undefined],
    ]
    for (const [problem, path, body, warning] of cases) {
      const reply = await asProxy(proxyAddresses.report, { ...report, rulesProblem: problem })
      assert.equal(reply.status, 204, reply.text)
      assert.equal(await changed(path, body), warning, path)
    }
  })

  test('is logged by them, and read by administrators', async () => {
    const entry = { time: clock.now(), 'client-ip': '192.0.2.7', 'client-port': 4000, url: '/basket' }
    const reply = await asProxy(proxyAddresses.logs, {
      access: [entry],
      webFirewall: [{ time: clock.now(), attack: 'SQL Injection', action: 'DENY', url: '/basket' }],
    })
    assert.equal(reply.status, 204, reply.text)
    const [access] = Object.values((await client.get('access-logs')).json.data as Record<string, object>)
    assert.equal((access as Record<string, string>)['client-ip'], '192.0.2.7')
    const [attack] = Object.values(
      (await client.get('web-firewall-logs')).json.data as Record<string, object>,
    )
    assert.equal((attack as Record<string, string>).action, 'DENY')
    assert.equal((await asProxy(proxyAddresses.logs, { access: 'many', webFirewall: [] })).status, 400)
  })
})
