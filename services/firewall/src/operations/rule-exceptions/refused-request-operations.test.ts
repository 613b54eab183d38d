import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { type LoggedEntry, proxyAddresses } from '@palisade/proxy-protocol'
import { callAsProxy } from '../../testing/as-proxy.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'
import { limitedAdministrator } from '../../testing/limited-administrator.ts'

interface Told {
  readonly service: string
  readonly action: string
  readonly score: string
  readonly threshold: string
  readonly findings: readonly { readonly rule: string; readonly target: string; readonly proposal: string }[]
  readonly 'passes-now': string
  readonly exceptions: readonly string[]
  readonly proposals: readonly { readonly id: string; readonly rule: string }[]
}

interface Replayed {
  readonly 'requests-refused': string
  readonly 'requests-let-through': string
  readonly requests: readonly {
    readonly id: string
    readonly 'client-ip': string
    readonly rules: readonly string[]
  }[]
}

onEveryStore('a refused request', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-refused-'))
  const clock = settableClock()
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore(), dataDirectory, clock })
    client = await logIn(served.baseUrl)
    for (const [name, ip] of [
      ['shop', '192.0.2.10'],
      ['mail', '192.0.2.11'],
    ])
      assert.equal((await client.call('POST', 'services', { name, 'ip-address': ip })).status, 201)
    await saw('first', 'shop', [[942_100, 'ARGS:q']])
    await saw('second', 'shop', [
      [942_100, 'ARGS:q'],
      [941_100, 'ARGS:q'],
    ])
    await saw('third', 'shop', [[942_100, 'ARGS:q']], '198.51.100.7')
    await saw('of-mail', 'mail', [[942_100, 'ARGS:q']])
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  async function log(webFirewall: readonly LoggedEntry[]): Promise<void> {
    const { status } = await callAsProxy(served, dataDirectory, proxyAddresses.logs, {
      access: [],
      webFirewall,
    })
    assert.equal(status, 204)
  }

  /** Logs a request in which these rules fired, with 5 points each. */
  async function saw(
    id: string,
    service: string,
    findings: readonly (readonly [rule: number, target: string])[],
    clientIp = '192.0.2.1',
  ): Promise<void> {
    clock.advance(1000)
    const common = {
      time: clock.now(),
      'request-id': id,
      'service-name': service,
      'rule-type': 'Core Rule Set',
      severity: 'Critical',
      action: 'LOG',
      'client-ip': clientIp,
      method: 'GET',
      url: '/search',
    }
    const entries = findings.map(([rule, target]) => ({
      ...common,
      rule: String(rule),
      'rule-target': target,
    }))
    const attack = `Inbound Anomaly Score Exceeded (Total Score: ${5 * findings.length})`
    await log([
      ...entries,
      { ...common, action: 'DENY', rule: '949110', 'rule-target': 'TX:ANOMALY_SCORE', attack },
    ])
  }

  async function explained(id: string): Promise<Told> {
    const { status, json, text } = await client.get(`refused-requests/${id}`)
    assert.equal(status, 200, text)
    return (json.data as Record<string, Told>)[id] as Told
  }

  async function replayed(ids: readonly string[]): Promise<Replayed> {
    const { status, json, text } = await client.get(
      `services/shop/rule-exception-replay?exceptions=${ids.join(',')}`,
    )
    assert.equal(status, 200, text)
    return json.data as Replayed
  }

  test('is told with what rules found, and with the fewest exceptions that let it through', async () => {
    const told = await explained('second')
    assert.deepEqual([told.service, told.action, told.score, told.threshold], ['shop', 'DENY', '10', '5'])
    assert.deepEqual(
      told.findings.map(({ rule, target }) => [rule, target]),
      [
        ['942100', 'ARGS:q'],
        ['941100', 'ARGS:q'],
        ['949110', 'TX:ANOMALY_SCORE'],
      ],
    )
    assert.equal(told.exceptions.length, 2, 'one of 5 points leaves 5, which is not below 5')
    assert.equal(told.findings[2]?.proposal, '')
    const rules = told.proposals.filter(({ id }) => told.exceptions.includes(id)).map(({ rule }) => rule)
    assert.deepEqual(rules.toSorted(), ['941100', '942100'])
    assert.equal((await explained('first')).exceptions.length, 1)
  })

  test('is replayed with exceptions: those that are let through are listed, and the others not', async () => {
    const [only = ''] = (await explained('first')).exceptions
    const one = await replayed([only])
    assert.deepEqual([one['requests-refused'], one['requests-let-through']], ['3', '2'])
    assert.deepEqual(
      one.requests.map(({ id, 'client-ip': ip, rules }) => [id, ip, rules]),
      [
        ['third', '198.51.100.7', ['942100']],
        ['first', '192.0.2.1', ['942100']],
      ],
    )
    const both = await replayed((await explained('second')).exceptions)
    assert.equal(both['requests-let-through'], '3')
  })

  test('passes now once its exception is accepted, which then lets nothing through besides', async () => {
    const [only = ''] = (await explained('first')).exceptions
    const before = await explained('second')
    assert.equal(before['passes-now'], 'No')
    const address = `services/shop/rule-exception-proposals/${only}`
    assert.equal((await client.call('POST', address, {})).status, 201)
    const first = await explained('first')
    assert.deepEqual([first['passes-now'], first.exceptions], ['Yes', []])
    const second = await explained('second')
    assert.deepEqual([second['passes-now'], second.exceptions.length], ['No', 1])
    assert.deepEqual(
      (await replayed(second.exceptions)).requests.map(({ id }) => id),
      ['second'],
    )
  })

  test('is told when no exception helps, and when its service is gone', async () => {
    const common = {
      time: clock.now(),
      'client-ip': '192.0.2.1',
      method: 'GET',
      url: '/secret',
      action: 'DENY',
    }
    await log([
      { ...common, 'request-id': 'of-acl', 'service-name': 'shop', rule: 'secret', 'rule-type': 'URL ACL' },
    ])
    await log([
      { ...common, 'request-id': 'of-gone', 'service-name': 'gone', rule: 'secret', 'rule-type': 'URL ACL' },
    ])
    for (const id of ['of-acl', 'of-gone']) {
      const told = await explained(id)
      assert.deepEqual(
        [told.findings.length, told.exceptions, told.score, told['passes-now']],
        [1, [], '', 'No'],
      )
    }
  })

  test('is not found by an id that is in no entry, nor by a part of one, nor by whoever may not read it', async () => {
    for (const id of ['missing', 'sec', 'second","x', '%00', encodeURIComponent('"')]) {
      assert.equal((await client.get(`refused-requests/${id}`)).status, 404, id)
    }
    const proposal = 'services/shop/rule-exception-replay'
    assert.equal((await client.get(proposal)).status, 400)
    assert.equal((await client.get(`${proposal}?exceptions=none`)).status, 404)
    assert.equal((await client.get('services/gone/rule-exception-replay?exceptions=x')).status, 404)
    const limited = await limitedAdministrator(served.baseUrl, client)
    const operations = ['view-aps-logs']
    await limited.allow({ operations, objects: ['rule-exceptions:read'], services: ['mail:read'] })
    assert.equal((await limited.get('refused-requests/of-mail')).status, 200)
    assert.equal((await limited.get('refused-requests/first')).status, 404)
    assert.equal((await limited.get(`${proposal}?exceptions=x`)).status, 403)
    await limited.allow({ services: ['mail:read'] })
    assert.equal((await limited.get('refused-requests/of-mail')).status, 403)
  })
})
