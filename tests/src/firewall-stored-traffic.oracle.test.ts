import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { firewallCommandOf } from './support/firewall/firewall-command.ts'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { debianRules } from './support/firewall/releases.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

/* What is kept of requests where a service asks for that, and what trials against it say: the Core Rule Set judges. */

let server: Server
let management: Management
let port: number
before(async () => {
  server = await Server.start()
  await ProxyProcess.start(server, undefined, { workers: 2, rules: candidates() })
  management = await Management.connect(server)
  // It would let sentences pass by itself.
  await management.call('PUT', 'security-policies/default/second-stage', { status: 'Off' })
  const shopPort = await application((incoming, response) => {
    incoming.resume().on('end', () => response.end('reached'))
  })
  port = await management.protect('shop', shopPort)
  await management.call('PUT', 'services/shop/basic-security', {
    mode: 'Active',
    'client-ip-addr-header': 'X-Forwarded-For',
  })
  await management.untilHealth('services/shop', 'Up')
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** Rules that do not count: a release that finds nothing, and the rules that count with one of the operator's own. */
function candidates(): object {
  const releasesFolder = newFolder()
  const release = join(releasesFolder, '4.98.1/rules')
  mkdirSync(release, { recursive: true })
  for (const file of ['REQUEST-901-INITIALIZATION.conf', 'REQUEST-949-BLOCKING-EVALUATION.conf'])
    copyFileSync(join(debianRules, file), join(release, file))
  copyFileSync('/etc/modsecurity/crs/crs-setup.conf', join(releasesFolder, '4.98.1/crs-setup.conf'))
  const plugins = newFolder()
  writeFileSync(
    join(plugins, 'ours-before.conf'),
    `SecRule REQUEST_URI "@beginsWith /login" "id:9900100,phase:1,deny,msg:'No log-ins today'"`,
  )
  const broken = newFolder()
  writeFileSync(join(broken, 'broken.conf'), 'SecRule ARGS "@rx (" "id:9900101"')
  return {
    releasesFolder,
    candidates: [
      { name: 'ours', plugins },
      { name: 'broken', folder: broken },
    ],
  }
}

interface Sent {
  readonly headers?: Record<string, string>
  readonly body?: string | URLSearchParams
}

/** @returns the status, and the id that the page of a refused request shows */
async function send(path: string, { headers = {}, body }: Sent = {}): Promise<number> {
  const reply = await fetch(`http://localhost:${port}${path}`, {
    headers: { 'x-forwarded-for': '192.0.2.1', connection: 'close', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body }),
  })
  await reply.arrayBuffer()
  return reply.status
}

interface Kept {
  readonly 'rule-sets': readonly string[]
  readonly requests: string
  readonly newest: readonly {
    readonly id: string
    readonly method: string
    readonly url: string
    readonly headers: readonly string[]
    readonly body: string
    readonly refused: string
  }[]
}

async function kept(): Promise<Kept> {
  const { data } = await management.call('GET', 'services/shop/stored-requests')
  return data as Kept
}

function keptSoon(count: number): Promise<Kept> {
  return eventually(`${count} requests`, async () => {
    const all = await kept()
    return Number(all.requests) >= count ? all : undefined
  })
}

const sentence = "It's for Mondays; select & sum"
const attack = "1' UNION SELECT password FROM users-- -"

test('nothing is kept unasked', async () => {
  assert.equal(await send(`/search?q=${encodeURIComponent(attack)}`), 403)
  assert.equal(await send('/search?q=chairs'), 200)
  await management.call('PUT', 'services/shop/stored-traffic', { status: 'On', 'ordinary-requests': 1 })
  await management.untilHealth('services/shop', 'Up')
  assert.equal((await kept()).requests, '0')
})

test('refused and ordinary requests are kept without their secrets', async () => {
  const headers = { cookie: 'sid=abc-123', authorization: 'Bearer T0ken', 'x-api-key': 'k3y' }
  assert.equal(
    await send('/login', { headers, body: new URLSearchParams({ name: 'Ada', password: 'Secr3t!' }) }),
    200,
  )
  const json = JSON.stringify({ user: { name: 'Ada', password: 'Op3n"S' }, note: attack })
  assert.equal(
    await send('/notes?token=t0p', { headers: { 'content-type': 'application/json' }, body: json }),
    403,
  )
  const { newest } = await keptSoon(2)
  const login = newest.find(({ url }) => url === '/login')
  assert.equal(login?.body, 'name=Ada&password=Xxxx1x%21')
  assert.equal(login.refused, 'No')
  for (const line of ['cookie: sid=xxx-111', 'authorization: Bearer X1xxx', 'x-api-key: x1x'])
    assert.ok(login.headers.includes(line), line)
  const note = newest.find(({ url }) => url === '/notes?token=x1x')
  assert.equal(note?.refused, 'Yes')
  const { user } = JSON.parse(note.body)
  assert.deepEqual(user, { name: 'Ada', password: 'Xx1x"X' })
  assert.equal(JSON.parse(note.body).note, attack)
})

interface Trial {
  readonly 'requests-tried': string
  readonly 'refused-now': string
  readonly 'would-pass': string
  readonly 'would-be-refused': string
  readonly requests: readonly {
    readonly id: string
    readonly url: string
    readonly outcome: string
    readonly found: readonly { readonly rule: string; readonly attack: string }[]
  }[]
  readonly 'rule-set'?: { readonly release: string }
}

interface Smallest {
  readonly exceptions: readonly object[]
  readonly passes: string
  readonly 'also-would-pass': string
  readonly created: readonly string[]
  readonly trial: Trial
}

async function smallest(id: string, body: object): Promise<Smallest> {
  const { data } = await management.call('POST', `refused-requests/${id}/smallest-exception`, body)
  return data as Smallest
}

async function tried(body: object): Promise<Trial> {
  const { data } = await management.call('POST', 'services/shop/stored-request-trials', body)
  return data as Trial
}

test('the smallest exception says what else it lets through, and is created when that is asked for', async () => {
  const post = (q: string) => send('/catalogue', { body: new URLSearchParams({ q }) })
  for (const q of [sentence, `${sentence}!`, attack]) assert.equal(await post(q), 403, q)
  const { newest } = await keptSoon(5)
  const { id = '' } =
    newest.find(({ body }) => body === new URLSearchParams({ q: sentence }).toString()) ?? {}
  await management.entries('web-firewall-logs', (entry) => entry['request-id'] === id)
  const found = await smallest(id, {})
  assert.deepEqual(found.exceptions, [{ url: '/catalogue', rule: '932115', target: 'ARGS:q' }])
  assert.deepEqual([found.passes, found['also-would-pass'], found.created], ['Yes', '1', []])
  const { 'requests-tried': all, 'refused-now': refused, 'would-pass': through } = found.trial
  assert.deepEqual([all, refused, through, found.trial['would-be-refused']], ['5', '4', '2', '0'])
  assert.equal(await post(sentence), 403)
  assert.equal((await smallest(id, { apply: 'Yes' })).created.length, 1)
  await management.untilHealth('services/shop', 'Up')
  assert.deepEqual([await post(sentence), await post(`${sentence}!`), await post(attack)], [200, 200, 403])
})

test('another policy and another second stage are tried, and nothing changes', async () => {
  await management.call('POST', 'security-policies', { name: 'short' })
  await management.call('PUT', 'security-policies/short/request-limits', {
    enable: 'Yes',
    'max-url-length': 8,
  })
  const strict = await tried({ policy: 'short' })
  assert.ok(
    strict.requests.some(({ url, outcome }) => url === '/catalogue' && outcome === 'Would be refused'),
  )
  const lenient = await tried({ rule: 932115, url: '/elsewhere', target: 'ARGS:q' })
  assert.deepEqual([lenient['would-pass'], lenient['would-be-refused']], ['0', '0'])
  assert.equal(await send('/catalogue'), 200)
  await assert.rejects(tried({ policy: 'missing' }), /404 .*security-policy/)
  await assert.rejects(tried({}), /rule/)
})

test('other rules are tried before they count, by names that the proxy is configured with', async () => {
  assert.deepEqual((await kept())['rule-sets'].toSorted(), ['4.98.1', 'broken', 'debian', 'ours'])
  const ours = await tried({ 'rule-set': 'ours' })
  assert.deepEqual([ours['would-pass'], ours['would-be-refused']], ['0', '1'])
  const [login] = ours.requests
  assert.deepEqual([login?.url, login?.outcome], ['/login', 'Would be refused'])
  assert.deepEqual(
    login?.found.map(({ rule, attack }) => [rule, attack]),
    [['9900100', 'No log-ins today']],
  )
  const release = await tried({ 'rule-set': '4.98.1' })
  assert.notEqual(release['refused-now'], '0')
  assert.deepEqual([release['would-pass'], release['would-be-refused']], [release['refused-now'], '0'])
  assert.match(release['rule-set']?.release ?? '', /^OWASP_CRS/)
  assert.equal(await send('/login'), 200)
  await assert.rejects(tried({ 'rule-set': 'broken' }), /503 .*cannot be loaded/)
  for (const name of ['4.99.0', '../4.98.1', '/etc'])
    await assert.rejects(tried({ 'rule-set': name }), /406 .*rule-set.*those that can be tried: /)
})

test('what was kept goes with the consent', async () => {
  await management.call('PUT', 'services/shop/stored-traffic', { status: 'Off' })
  await assert.rejects(tried({ 'second-stage': 'On' }), /409 .*stored-traffic/)
  await management.call('PUT', 'services/shop/stored-traffic', { status: 'On' })
  await management.untilHealth('services/shop', 'Up')
  assert.equal((await kept()).requests, '0')
})

test('what was kept goes with a service and stays away when that comes back, as the question before says', async () => {
  await eventually('a request that is kept', async () => {
    await send(`/search?q=${encodeURIComponent(attack)}`)
    return Number((await kept()).requests) > 0 || undefined
  })
  const firewall = firewallCommandOf(server)
  const terminal = firewall.typed('delete', 'service', 'shop')
  await terminal.answer(
    /Delete service shop, and with it 1 server.*\? Nothing takes back the loss of stored requests \([1-9]\d*\)\. \[y\/N\] /,
    'y',
  )
  assert.equal(await terminal.ended(), 0, terminal.screen)
  const [, command = ''] = /"palisade firewall (.+)" takes it back/.exec(terminal.screen) ?? []
  await firewall.done(...command.split(' '))
  await management.untilHealth('services/shop', 'Up')
  assert.equal((await kept()).requests, '0')
  assert.equal(await send(`/search?q=${encodeURIComponent(attack)}`), 403)
})
