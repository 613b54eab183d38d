import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { createLog, type HttpService } from '@palisade/platform'
import { onEveryStore, type ServedService, serveOnLoopback, settableClock } from '@palisade/platform/testing'
import { type ProxyReport, type ProxySnapshot, proxyAddresses } from '@palisade/proxy-protocol'
import { callAsProxy } from '../testing/as-proxy.ts'
import { type Client, logIn } from '../testing/client.ts'
import { firewallService } from '../testing/firewall.ts'

onEveryStore('a service that clients cannot reach', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-unserved-'))
  const clock = settableClock()
  const lines: string[] = []
  let firewall: HttpService
  let served: ServedService
  let client: Client
  before(async () => {
    const log = createLog('info', { write: (line) => void lines.push(line) })
    firewall = await firewallService({ store: await newStore(), dataDirectory, clock, log })
    served = await serveOnLoopback(firewall, { log: createLog('silent') })
    client = await logIn(served.baseUrl)
  })
  beforeEach(() => lines.splice(0))
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const asProxy = (path: string, body?: object) => callAsProxy(served, dataDirectory, path, body)
  /** A proxy that has taken the newest snapshot, and cannot open the ports of these services. */
  const report = async (reasons: Readonly<Record<string, string>>, more: Partial<ProxyReport> = {}) => {
    const { digest, version, services } = (await asProxy(proxyAddresses.snapshot))
      .json as unknown as ProxySnapshot
    const reports = services.map(({ name }) => ({
      name,
      isUp: reasons[name] === undefined,
      reason: reasons[name] ?? '',
      servers: [],
    }))
    const { status } = await asProxy(proxyAddresses.report, {
      ...{ proxy: 'p1', version, digest, problem: '', rulesProblem: '', services: reports },
      ...more,
    })
    assert.equal(status, 204)
  }
  const warningOf = async (method: string, path: string, body: object) => {
    const { status, json, text } = await client.call(method, path, body)
    assert.ok(status === 200 || status === 201, text)
    return json.warning
  }
  const logged = () => lines.map((line) => JSON.parse(line).msg)
  const systemLog = async () => {
    const { data = {} } = (await client.get('system-logs')).json
    return Object.values(data as Record<string, Record<string, string>>).map(({ message }) => message)
  }
  const untilInSystemLog = async (message: string) => {
    while (!(await systemLog()).includes(message));
  }
  const inUse = '127.0.0.9, port 8081, cannot be opened: another program listens there already.'
  const unreachable = (name: string, reason: string) => `Clients cannot reach the service ${name}. ${reason}`

  test('since it has no address, is told in the reply, also while there is no proxy', async () => {
    const noAddress = unreachable('drafted', 'It has no ip-address at which clients could be met.')
    assert.equal(await warningOf('POST', 'services', { name: 'drafted' }), noAddress)
    assert.equal(await warningOf('PUT', 'services/drafted', { comments: 'another change' }), undefined)
    assert.equal(await warningOf('PUT', 'services/drafted', { status: 'Off' }), undefined)
    assert.equal(await warningOf('PUT', 'services/drafted', { status: 'On' }), noAddress)
    assert.match(
      await warningOf('POST', 'services', { name: 'plain', type: 'HTTPS', 'ip-address': '127.0.0.9' }),
      /needs a certificate/,
    )
    assert.equal(await warningOf('PUT', 'services/plain', { status: 'Off' }), undefined)
    assert.deepEqual(firewall.warnings?.(), [], 'nobody says yet what is carried')
    assert.deepEqual(logged(), [])
    await report({})
    assert.deepEqual(logged(), [noAddress])
    await untilInSystemLog(noAddress)
    await client.call('DELETE', 'services/drafted')
    await client.call('DELETE', 'services/plain')
    await report({})
  })

  test('since TLS was switched off for a service that needs it, is told in the reply', async () => {
    const certificate = {
      name: 'shown',
      'common-name': 'www.example.com',
      'country-code': 'DE',
      'key-type': 'ECDSA',
    }
    assert.equal((await client.call('POST', 'self-signed-certificate', certificate)).status, 201)
    const secure = {
      name: 'secure',
      type: 'HTTPS',
      'ip-address': '127.0.0.9',
      port: 8443,
      certificate: 'shown',
    }
    assert.equal(await warningOf('POST', 'services', secure), undefined)
    const withoutTls = unreachable(
      'secure',
      'A service of the type HTTPS needs a certificate, and ssl-security switched on.',
    )
    assert.equal(await warningOf('PUT', 'services/secure/ssl-security', { status: 'Off' }), withoutTls)
    assert.equal(await warningOf('PUT', 'services/secure/ssl-security', { status: 'On' }), undefined)
    await client.call('DELETE', 'services/secure')
    await report({})
  })

  test('since its port is taken, is told in the reply as soon as its proxy says so', async () => {
    const reply = warningOf('POST', 'services', { name: 'shop', 'ip-address': '127.0.0.9', port: 8081 })
    await untilPublished('shop')
    await report({ shop: inUse })
    assert.equal(await reply, unreachable('shop', inUse))
    assert.deepEqual(logged(), [unreachable('shop', inUse)])
    await untilInSystemLog(`The service shop is down. ${inUse}`)
    assert.deepEqual(firewall.warnings?.(), [
      {
        condition: 'unserved-services',
        message: 'Clients cannot reach 1 firewall services: their status and the system log say why.',
      },
    ])
    await report({ shop: inUse })
    assert.deepEqual(logged(), [unreachable('shop', inUse)], 'is told once')
    await report({})
    assert.match(logged()[1] ?? '', /^Clients reach the service shop again/)
    assert.deepEqual(firewall.warnings?.(), [])
  })

  test('is not waited for where no proxy answers, longer than half a second', async () => {
    const since = performance.now()
    assert.equal(await warningOf('PUT', 'services/shop', { port: 8082 }), undefined)
    const tookMs = performance.now() - since
    assert.ok(tookMs > 450 && tookMs < 5_000, `${tookMs} ms`)
    await report({})
    const change = performance.now()
    await warningOf('PUT', 'services/shop', { comments: 'nothing of where it is met' })
    assert.ok(performance.now() - change < 400)
  })

  test('for lack of rules alone is told of by these', async () => {
    const rulesProblem = 'There are no rules.'
    await report({ shop: rulesProblem }, { rulesProblem })
    assert.deepEqual(logged(), [])
    assert.deepEqual(
      firewall.warnings?.().map(({ condition }) => condition),
      ['no-rules'],
    )
    await report({})
  })

  test('is counted where there are many', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `s${index}`)
    const warningsOfNames = names.map((name, index) =>
      warningOf('POST', 'services', { name, 'ip-address': `127.0.1.${index + 1}` }),
    )
    await Promise.all(warningsOfNames)
    await report(Object.fromEntries(names.map((name) => [name, inUse])))
    assert.equal(logged().length, 21)
    assert.equal(logged()[20], 'Clients cannot reach 5 more services.')
  })

  /** Waits until proxies are told of the service. */
  async function untilPublished(name: string): Promise<void> {
    for (;;) {
      const { services } = (await asProxy(proxyAddresses.snapshot)).json as unknown as ProxySnapshot
      if (services.some((service) => service.name === name)) return
    }
  }
})
