import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import {
  counterNames,
  countersByStatistics,
  type ProxyReport,
  proxyAddresses,
  reportIdHeader,
  reportIntervalMs,
} from '@palisade/proxy-protocol'
import { Examples } from './catalogue/examples/examples.ts'
import { catalogue } from './catalogue/index.ts'
import { compileCatalogue } from './kinds/compiled-kind.ts'
import { logNames, logTypes } from './logs/log-types.ts'
import { alwaysZeroOf, figuresOf, statisticsNames } from './logs/stats/statistics.ts'
import type { LogType } from './logs/types/log-type.ts'
import { callAsProxy } from './testing/as-proxy.ts'
import { type Client, logIn } from './testing/client.ts'
import { serveFirewall } from './testing/firewall.ts'
import { StandingExamples } from './testing/standing-examples.ts'

const compiled = compileCatalogue(catalogue)

/** Where what replies show by themselves comes from: all that no client can set. */
type Source =
  /** Proxies tell it of traffic; that they do is shown in tests/src/firewall-statistics.oracle.test.ts. */
  | 'proxies'
  /** The management does or knows it. */
  | 'management'
  /** The machine that the server runs on. */
  | 'machine'
  /** Nobody fills it, and the API's description says so. */
  | 'nobody'

/** Each member with its source; those of a place that are not named have the source of the place. */
const sources: Readonly<
  Record<string, { readonly of: Source; readonly but?: Partial<Record<Source, string>> }>
> = {
  'http-stats': { of: 'proxies' },
  'response-stats': { of: 'proxies' },
  'ssl-stats': { of: 'proxies' },
  'attack-stats': { of: 'proxies', but: { nobody: 'client-violations xml-violations' } },
  'system-stats': {
    of: 'machine',
    but: {
      management:
        'access-log-entries access-log-bytes web-firewall-log-entries web-firewall-log-bytes audit-log-entries audit-log-bytes network-firewall-log-entries network-firewall-log-bytes system-log-entries system-log-bytes',
    },
  },
  'access-logs': {
    of: 'proxies',
    but: {
      management: 'id service-app-id',
      nobody:
        'certificate-user clickjacking client-fingerprint client-risk-score client-type cookie custom-header1 custom-header2 custom-header3 custom-header4 custom-header5 custom-header6 login profile-matched risk-score risks session-id',
    },
  },
  'web-firewall-logs': {
    of: 'proxies',
    but: {
      management: 'id service-app-id',
      nobody: 'client-fingerprint client-risk-score client-type risk-score session-id',
    },
  },
  'audit-logs': { of: 'management' },
  'system-logs': { of: 'management' },
  'network-firewall-logs': { of: 'nobody' },
  service: { of: 'proxies' },
  server: { of: 'proxies', but: { nobody: 'resolved-ips' } },
  'rule-group-server': { of: 'proxies', but: { nobody: 'resolved-ips' } },
  'network-interface': { of: 'management' },
  'form-spam-form': { of: 'nobody' },
  'action-policy': { of: 'management' },
  'jwt-public-key': { of: 'management' },
  'self-signed-certificate': { of: 'management' },
  'signed-certificate': { of: 'management' },
  'trusted-ca-certificate': { of: 'management' },
  'trusted-server-certificate': { of: 'management' },
  'auto-system-acl': { of: 'management' },
  system: { of: 'management', but: { proxies: 'attack-definition', nobody: 'virus-definition' } },
  cluster: { of: 'nobody' },
  'administrator-role': { of: 'management' },
}

const operationalMembers = ['operational-status', 'status-reason']

/** Every member that replies show and no client sets, by place. */
function answeredMembers(): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const name of statisticsNames) places.set(name, [...figuresOf(name)])
  for (const name of logNames) places.set(logTypes[name].segment, Object.keys(logTypes[name].fields))
  for (const { name, fields, sections, operational } of compiled.values()) {
    const readOnly = [fields, ...sections.map((section) => section.fields)].flatMap((set) =>
      Array.from(set)
        .filter(({ field }) => field.readOnly)
        .map((one) => one.name),
    )
    const members = [...readOnly, ...(operational ? operationalMembers : [])]
    if (members.length > 0) places.set(name, members)
  }
  return places
}

/** Members that say of themselves that nobody fills them. */
function admittedMembers(): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const name of statisticsNames) places.set(name, Object.keys(alwaysZeroOf(name)))
  for (const name of logNames) {
    const type: LogType = logTypes[name]
    const isWritten = type.neverWritten === undefined
    places.set(type.segment, isWritten ? Object.keys(type.alwaysEmpty ?? {}) : Object.keys(type.fields))
  }
  for (const { name, fields, sections } of compiled.values()) {
    const admitted = [fields, ...sections.map((section) => section.fields)].flatMap((set) =>
      Array.from(set).filter(({ field }) => field.description?.startsWith('Always empty: ')),
    )
    places.set(
      name,
      admitted.map((one) => one.name),
    )
  }
  return places
}

function sourceOf(place: string, member: string): Source | undefined {
  const { of, but = {} } = sources[place] ?? {}
  const other = Object.entries(but).find(([, names]) => names?.split(' ').includes(member))
  return other ? (other[0] as Source) : of
}

test('every member that replies show by themselves has a source, or says that it has none', () => {
  const counts: Record<Source, number> = { proxies: 0, management: 0, machine: 0, nobody: 0 }
  const admitted = admittedMembers()
  const places = answeredMembers()
  assert.deepEqual([...places.keys()].sort(), Object.keys(sources).sort())
  for (const [place, members] of places) {
    for (const member of members) {
      const source = sourceOf(place, member)
      assert.ok(source, `${place} ${member} needs a source in the table of this test`)
      counts[source]++
      assert.equal(admitted.get(place)?.includes(member) ?? false, source === 'nobody', `${place} ${member}`)
    }
    for (const name of Object.values(sources[place]?.but ?? {}).flatMap((names) => names.split(' '))) {
      assert.ok(members.includes(name), `${place} has no ${name} any more`)
    }
  }
  assert.deepEqual(counts, { proxies: 119, management: 67, machine: 14, nobody: 40 })
})

test('the page on compatibility names each member that nobody fills', () => {
  const page = readFileSync(new URL('../../../docs/firewall-compatibility.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## Members that nobody fills')
  const [table = ''] = section.split('\n## ')
  let count = 0
  const listedMembers = new Set(Array.from(table.matchAll(/`([^`]+)`/g), ([, name = '']) => name))
  for (const [place, members] of answeredMembers()) {
    const unfilled = members.filter((member) => sourceOf(place, member) === 'nobody')
    if (place === 'network-firewall-logs') assert.ok(listedMembers.has(place))
    else for (const member of unfilled) assert.ok(listedMembers.has(member), `${place} ${member}`)
    count += unfilled.length
  }
  assert.ok(count > 10, `only ${count} members were looked up`)
})

onEveryStore('members that replies show by themselves', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-answered-'))
  const clock = settableClock()
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore(), dataDirectory, clock })
    client = await logIn(served.baseUrl)
    for (const [path, body] of [
      ['services', { name: 'shop', 'ip-address': '192.0.2.1', port: 80, 'app-id': 'the-shop' }],
      ['services/shop/servers', { name: 'one', 'ip-address': '192.0.2.7', port: 80 }],
      ['services/shop/content-rules', { name: 'rule', 'host-match': '*', 'url-match': '/*' }],
      ['services/shop/content-rules/rule/content-rule-servers', { name: 'one', 'ip-address': '192.0.2.8' }],
    ] as const) {
      const { status, text } = await client.call('POST', path, body)
      assert.equal(status, 201, text)
    }
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const asProxy = async (path: string, body: object) => {
    const { status, text } = await callAsProxy(served, dataDirectory, path, body)
    assert.equal(status, 204, text)
  }
  const report = (more: Partial<ProxyReport>): ProxyReport => ({
    proxy: 'edge',
    version: 1,
    digest: '',
    problem: '',
    rulesProblem: '',
    services: [],
    ...more,
  })
  const rules = { problem: '', notice: '', folder: '/rules', release: 'OWASP_CRS/4.9.0', ruleCount: 700 }
  const entries = async (log: string): Promise<Record<string, string>[]> =>
    Object.values((await client.get(`${log}?limit=1000`)).json.data ?? {})
  const health = async (path: string, name: string) =>
    (await client.get(`${path}?category=operational`)).json.data[name]

  test('of statistics move with what proxies count', async () => {
    const counts = Object.fromEntries(counterNames.map((name, index) => [name, index + 1]))
    await asProxy(proxyAddresses.counts, {
      proxy: 'edge',
      message: 'one',
      counted: [{ time: clock.now(), service: 'shop', counts }],
    })
    let ran = 0
    for (const name of statisticsNames) {
      if (name === 'system-stats') continue
      const [figures = {}] = Object.values<Record<string, string>>(
        (await client.get(`stats/${name}`)).json.data,
      )
      for (const [figure, value] of Object.entries(figures)) {
        assert.equal(value, String(counts[figure]), figure)
        ran++
      }
    }
    assert.equal(ran, Object.values(countersByStatistics).flat().length)
  })

  test('of logs are what proxies tell, and what a service is called beside its name', async () => {
    const membersOfProxies = (segment: string, fields: object) =>
      Object.fromEntries(
        Object.keys(fields)
          .filter((field) => field !== 'time' && sourceOf(segment, field) === 'proxies')
          .map((field, index) => [field, String(index + 1)]),
      )
    const access = membersOfProxies('access-logs', logTypes.access.fields)
    const webFirewall = membersOfProxies('web-firewall-logs', logTypes['web-firewall'].fields)
    const service = { time: clock.now(), 'service-name': 'shop' }
    await asProxy(proxyAddresses.logs, {
      access: [{ ...access, ...service }],
      webFirewall: [{ ...webFirewall, ...service }],
    })
    for (const [log, fields] of [
      ['access-logs', access],
      ['web-firewall-logs', webFirewall],
    ] as const) {
      const [entry] = await entries(log)
      const filled = Object.keys(entry ?? {}).filter((field) => entry?.[field] !== '')
      const expected = Object.keys(entry ?? {}).filter((field) => sourceOf(log, field) !== 'nobody')
      assert.deepEqual(filled, expected)
      assert.deepEqual({ ...entry, ...fields, ...service, time: entry?.time }, entry)
      assert.equal(entry?.['service-app-id'], 'the-shop')
    }
  })

  test('of a log that nothing writes say so', async () => {
    const { json } = await client.get('network-firewall-logs')
    assert.deepEqual(Object.keys(json), ['object', 'msg', 'token'])
    assert.match(json.msg, /^Nothing writes this log: /)
  })

  test('of servers of a service and of a content rule are told apart by it', async () => {
    const down = 'It cannot be reached.'
    const servers = [
      { name: 'one', isUp: true, reason: '' },
      { name: 'one', rule: 'rule', isUp: false, reason: down },
    ]
    await asProxy(
      proxyAddresses.report,
      report({ services: [{ name: 'shop', isUp: true, reason: '', servers }], rules }),
    )
    assert.equal((await health('services/shop', 'shop'))['operational-status'], 'Up')
    assert.equal((await health('services/shop/servers/one', 'one'))['operational-status'], 'Up')
    const ofRule = await health('services/shop/content-rules/rule/content-rule-servers/one', 'one')
    assert.equal(ofRule['operational-status'], 'Down')
    assert.ok(ofRule['status-reason'].startsWith(down))
    const [ofInterface] = Object.values<Record<string, string>>(
      (await client.get('network-interfaces?category=operational')).json.data,
    )
    assert.equal(ofInterface?.['status-reason'], 'Interfaces belong to the host, and are not looked at.')
  })

  test('of services follow what a proxy tells of changes, as long as the report before is known here', async () => {
    const service = (name: string, isUp: boolean) => ({
      name,
      isUp,
      reason: isUp ? '' : 'Its port is taken.',
      servers: [{ name: 'one', isUp, reason: '' }],
    })
    const tell = async (path: string, body: object) => {
      const { status, headers } = await callAsProxy(served, dataDirectory, path, body)
      return { status, id: String(headers[reportIdHeader] ?? '') }
    }
    const tellChanged = (base: string, services: ProxyReport['services'], gone: string[] = []) =>
      tell(proxyAddresses.reportDifference, { base, report: report({ services, rules }), gone })
    const statuses = async () => [
      (await health('services/shop', 'shop'))['operational-status'],
      (await health('services/shop/servers/one', 'one'))['operational-status'],
    ]
    const whole = report({ services: [service('shop', true), service('other', true)], rules })
    const first = await tell(proxyAddresses.report, whole)
    assert.notEqual(first.id, '')
    const same = await tellChanged(first.id, [])
    assert.deepEqual([same.status, await statuses()], [204, ['Up', 'Up']])
    const late = await tellChanged(first.id, [service('shop', false)])
    assert.deepEqual([late.status, late.id, await statuses()], [409, '', ['Up', 'Up']])
    const changed = await tellChanged(same.id, [service('shop', false)])
    assert.deepEqual([changed.status, await statuses()], [204, ['Down', 'Down']])
    const gone = await tellChanged(changed.id, [], ['shop'])
    assert.deepEqual([gone.status, await statuses()], [204, ['Down', 'Unknown']])
    clock.advance(4 * reportIntervalMs)
    assert.equal((await tellChanged(gone.id, [])).status, 409, 'it was silent for too long')
  })

  test('of the system name the rules of the proxies, as long as one reports', async () => {
    const definition = async (query: string) =>
      (await client.get(`system${query}`)).json.data.System['attack-definition']
    await asProxy(proxyAddresses.report, report({ rules }))
    assert.equal(await definition(''), 'OWASP_CRS/4.9.0')
    assert.equal(await definition('?groups=System&parameters=attack-definition'), 'OWASP_CRS/4.9.0')
    clock.advance(4 * reportIntervalMs)
    assert.equal(await definition(''), '')
  })

  test('of the system log tell what becomes of proxies, services and servers', async () => {
    const logEntries = async () => {
      const log = (await entries('system-logs')).filter(({ message = '' }) =>
        /\b(?:proxy new|store)\b/.test(message),
      )
      return log.map((entry) => [entry.severity, entry.module, entry.message])
    }
    const servers = (isUp: boolean) => [{ name: 'one', isUp, reason: isUp ? '' : 'It is away.' }]
    const service = (isUp: boolean) => [
      { name: 'store', isUp, reason: isUp ? '' : 'Its port is taken.', servers: servers(isUp) },
    ]
    await asProxy(proxyAddresses.report, report({ proxy: 'new', rules, services: service(true) }))
    await asProxy(proxyAddresses.report, report({ proxy: 'new', rules, services: service(true) }))
    await asProxy(proxyAddresses.report, report({ proxy: 'new', rules, services: service(false) }))
    await asProxy(
      proxyAddresses.report,
      report({ proxy: 'new', rules, services: service(true), problem: 'No.' }),
    )
    await asProxy(
      proxyAddresses.report,
      report({ proxy: 'new', services: service(true), problem: 'No.', rulesProblem: 'They are gone.' }),
    )
    clock.advance(4 * reportIntervalMs)
    await client.get('system')
    const expected = [
      ['Notice', 'Proxy', 'The proxy new reports. It judges by OWASP_CRS/4.9.0.'],
      ['Alert', 'Service', 'The service store is down. Its port is taken.'],
      ['Warning', 'Load Balancer', 'The server store/one is down. It is away.'],
      ['Alert', 'Proxy', 'The proxy new has not taken the newest configuration. No.'],
      ['Notice', 'Service', 'The service store is up.'],
      ['Notice', 'Load Balancer', 'The server store/one is up.'],
      ['Alert', 'Web Firewall', 'The proxy new judges by no rules. They are gone.'],
      ['Alert', 'Proxy', 'The proxy new has not reported for half a minute.'],
    ]
    let lines: (string | undefined)[][] = []
    for (let tries = 0; tries < 100 && lines.length < expected.length; tries++) {
      lines = (await logEntries()).toReversed()
    }
    const sorted = (rows: readonly (readonly (string | undefined)[])[]) => rows.map(String).sort()
    assert.deepEqual(sorted(lines), sorted(expected))
    for (const entry of await entries('system-logs')) assert.match(entry['event-id'] ?? '', /^42\d{3}$/)
  })

  test('that a kind has are there once an object is, or say that they never are', async () => {
    const examples = new Examples(compiled)
    const standing = new StandingExamples(examples, client)
    let ran = 0
    for (const kind of examples.byNeed(compiled.values())) {
      const parts = [{ title: undefined, fields: kind.fields }, ...kind.sections]
      const names = parts.flatMap(({ title, fields }) =>
        Array.from(fields)
          .filter(({ field, name }) => field.readOnly && sourceOf(kind.name, name) === 'management')
          .map(({ name }) => ({ title, name })),
      )
      if (names.length === 0) continue
      await standing.withExample(kind, async () => {
        const { item, collection } = examples.addressOf(kind)
        const all = kind.operations.has('list') ? collection : item
        const objects = Object.values<Shown>((await client.get(all)).json.data)
        for (const { title, name } of names) {
          if (needsUpload.has(`${kind.name} ${name}`)) continue
          const values = objects.map((one) => (title === undefined ? one : (one[title] as Shown))[name] ?? '')
          assert.ok(
            values.some((value) => value !== ''),
            `${kind.name} ${name}`,
          )
          ran++
        }
      })
    }
    assert.ok(ran > 20, String(ran))
  })
})

type Shown = Readonly<Record<string, unknown>>

/** What only certificates have that another authority signed; shown in signed-certificates.oracle.test.ts. */
const needsUpload: ReadonlySet<string> = new Set(['signed-certificate issuer-certificate'])
