import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { after, before, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { WebSocket, WebSocketServer } from 'ws'
import { freePort, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

const run = promisify(execFile)

/** An application of which the address says how it answers. */
const application = createServer((incoming, response) => {
  incoming.resume()
  const status = Number(/^\/status\/(\d+)/.exec(incoming.url ?? '')?.[1] ?? 200)
  response.statusCode = status
  if (incoming.url === '/page') response.setHeader('content-type', 'text/html')
  if (incoming.url === '/kept.css') {
    response.setHeader('content-type', 'text/css')
    response.setHeader('cache-control', 'public, max-age=60')
  }
  if (incoming.url === '/links') {
    response.setHeader('content-type', 'text/html').end('<a href="/item?id=7">an item</a>')
    return
  }
  setTimeout(() => response.end('x'.repeat(2_000)), 5)
})
const sockets = new WebSocketServer({ server: application, path: '/echo' })

let management: Management
let services: string
let behind: number
before(async () => {
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  behind = (application.address() as AddressInfo).port
  const server = await Server.start()
  // Each worker resumes the sessions that it has made.
  await ProxyProcess.start(server, newFolder(), { workers: 1, spareWorker: true })
  management = await Management.connect(server)
  services = server.services
  await management.call('PUT', 'security-policies/default/cloaking', { 'suppress-return-code': 'No' })
  const methods = { 'allowed-methods': ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'] }
  await management.call('PUT', 'security-policies/default/url-protection', methods)
})
after(async () => {
  for (const client of sockets.clients) client.terminate()
  application.close()
  application.closeAllConnections()
  await cleanUp()
})

async function curl(...argv: string[]): Promise<string> {
  const options = [
    '--silent',
    '--insecure',
    '--max-time',
    '20',
    '--output',
    '/dev/null',
    '--write-out',
    '%{http_code}',
  ]
  const { stdout } = await run('curl', [...options, ...argv]).catch(({ stdout }: { stdout: string }) => ({
    stdout,
  }))
  return stdout
}

async function figures(service: string, name: string): Promise<Record<string, number>> {
  const { data } = await management.call('GET', `stats/${name}?service=${service}`)
  const [members = {}] = Object.values(data as Record<string, Record<string, string>>)
  return Object.fromEntries(Object.entries(members).map(([figure, value]) => [figure, Number(value)]))
}

/** Waits until the figures that are named have these values; all others have to be 0. Returns how many are named. */
async function untilFigures(
  service: string,
  name: string,
  expected: Readonly<Record<string, number | RegExp>>,
): Promise<number> {
  const fits = (figure: string, value: number) => {
    const expectedCount = expected[figure] ?? 0
    return expectedCount instanceof RegExp ? expectedCount.test(String(value)) : expectedCount === value
  }
  let figuresNow: Record<string, number> = {}
  await eventually(`${name} of ${service}`, async () => {
    figuresNow = await figures(service, name)
    return Object.entries(figuresNow).every(([figure, value]) => fits(figure, value)) ? true : undefined
  }).catch((error: Error) => assert.fail(`${error.message}: ${JSON.stringify(figuresNow)}`))
  for (const figure of Object.keys(expected)) assert.ok(figure in figuresNow, figure)
  return Object.keys(expected).length
}

/** Makes a connection of TLS 1.2, and gives the session that it leaves. @param resumed of a connection before */
async function sessionOf(port: number, resumed?: Buffer): Promise<Buffer | undefined> {
  const options = { host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' } as const
  const socket = connectTls({ port, ...options, ...(resumed === undefined ? {} : { session: resumed }) })
  await once(socket, 'secureConnect')
  assert.equal(socket.isSessionReused(), resumed !== undefined)
  const session = socket.getSession()
  socket.end()
  await once(socket, 'close')
  return session
}

const some = /^[1-9]\d*$/

test('requests and responses are counted as they were made, by method, version, status and who answered', async () => {
  const port = await management.protect('shop', behind)
  await management.call('PUT', 'services/shop/advanced-configuration', { 'enable-websocket': 'Yes' })
  await management.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
  await management.call('PUT', 'services/shop/compression', {
    status: 'On',
    'content-types': ['text[/]html'],
    'min-size': 100,
  })
  await management.call('PUT', 'services/shop/caching', { status: 'On', 'file-extensions': ['css'] })
  await management.untilHealth('services/shop', 'Up')
  const at = (path: string) => `http://127.0.0.1:${port}${path}`

  assert.equal(await curl(at('/page')), '200')
  assert.equal(await curl('--http1.0', at('/')), '200')
  assert.equal(await curl('--head', at('/')), '200')
  assert.equal(await curl('--data', 'a=b', at('/')), '200')
  assert.equal(await curl('--request', 'PUT', '--data', 'a=b', at('/')), '200')
  assert.equal(await curl('--request', 'DELETE', at('/')), '200')
  assert.equal(await curl('--request', 'OPTIONS', at('/')), '200')
  assert.equal(await curl('--compressed', at('/page')), '200')
  assert.equal(await curl(at('/status/302')), '302')
  assert.equal(await curl(at('/status/404')), '404')
  assert.equal(await curl(at('/status/500')), '500')
  assert.equal(await curl(at('/kept.css')), '200')
  assert.equal(await curl(at('/kept.css')), '200')
  const socket = new WebSocket(`ws://127.0.0.1:${port}/echo`)
  await once(socket, 'open')
  socket.close()
  await once(socket, 'close')

  const ofRequests = await untilFigures('shop', 'http-stats', {
    connections: 14,
    requests: 14,
    'requests-get': 9,
    'requests-head': 1,
    'requests-post': 1,
    'requests-put': 1,
    'requests-delete': 1,
    'requests-other-method': 1,
    'requests-http-1-0': 1,
    'requests-http-1-1': 13,
    'websocket-upgrades': 1,
    'bytes-received': some,
    'bytes-sent': some,
  })
  const ofResponses = await untilFigures('shop', 'response-stats', {
    responses: 14,
    'responses-1xx': 1,
    'responses-2xx': 10,
    'responses-3xx': 1,
    'responses-4xx': 1,
    'responses-5xx': 1,
    'responses-from-server': 13,
    'responses-from-cache': 1,
    'responses-compressed': 1,
    'time-taken-ms': some,
    'server-time-ms': some,
  })
  assert.equal(ofRequests + ofResponses, 24)
})

test('what no server answered, and what the firewall answered itself, is counted', async () => {
  const port = await management.protect('away', await freePort())
  await management.untilHealth('services/away', 'Up')
  assert.equal(await curl(`http://127.0.0.1:${port}/`), '502')
  await untilFigures('away', 'response-stats', {
    responses: 1,
    'responses-5xx': 1,
    'responses-by-firewall': 1,
    'server-failures': 1,
    'time-taken-ms': /^\d+$/,
  })
})

test('handshakes of TLS are counted by version, and those that fail, are resumed or show a certificate', async () => {
  await management.makeCertificate('site', 'shop.example.org')
  const port = await management.protect('secure', behind, { type: 'HTTPS', certificate: 'site' })
  await management.call('PUT', 'services/secure/advanced-configuration', { 'enable-http2': 'Yes' })
  await management.untilHealth('services/secure', 'Up')
  const address = `https://127.0.0.1:${port}/`
  assert.equal(await curl('--tlsv1.2', '--tls-max', '1.2', '--http1.1', address), '200')
  assert.equal(await curl('--tlsv1.3', '--http2', address), '200')
  const session = await sessionOf(port)
  await sessionOf(port, session)
  const plain = connectTcp(port, '127.0.0.1')
  plain.end('GET / HTTP/1.1\r\n\r\n')
  plain.resume()
  await once(plain, 'close')

  await untilFigures('secure', 'ssl-stats', {
    'ssl-connections': 4,
    'ssl-handshakes-failed': 1,
    'ssl-sessions-resumed': 1,
    'ssl-tls-1-2': 3,
    'ssl-tls-1-3': 1,
  })
  const { 'requests-http-2': overHttp2 } = await figures('secure', 'http-stats')
  assert.equal(overHttp2, 1)
})

test('attacks are counted as the log has them, by what was done and by group', async () => {
  const port = await management.protect('attacked', behind)
  await management.untilHealth('services/attacked', 'Up')
  const attack = `http://127.0.0.1:${port}/?id=1%27%20UNION%20SELECT%20user,password%20FROM%20users--%20`
  assert.equal(await curl(attack), '200')
  await management.call('PUT', 'services/attacked/basic-security', { mode: 'Active' })
  await management.untilHealth('services/attacked', 'Up')
  assert.equal(await curl(attack), '403')
  assert.equal(await curl(`http://127.0.0.1:${port}/?q=%3Cscript%3Ealert(1)%3C/script%3E`), '403')

  const { entries, counted } = await eventually('all attacks being counted', async () => {
    const logged = await management.entries(
      'web-firewall-logs',
      (entry) => entry['service-name'] === 'attacked',
      5,
    )
    const stats = await figures('attacked', 'attack-stats')
    const hasLast = logged.some((entry) => entry['attack-category'] === 'XSS Injections')
    return hasLast && stats.attacks === logged.length ? { entries: logged, counted: stats } : undefined
  })
  const logged = (member: string, value: string) => entries.filter((entry) => entry[member] === value).length
  for (const [figure, member, value] of [
    ['attacks-denied', 'action', 'DENY'],
    ['attacks-logged', 'action', 'LOG'],
    ['sql-attacks', 'attack-category', 'SQL Attacks'],
    ['xss-injections', 'attack-category', 'XSS Injections'],
    ['other-attacks', 'attack-category', 'Other Attacks'],
  ] as const) {
    assert.ok(logged(member, value) > 0, figure)
    assert.equal(counted[figure], logged(member, value), figure)
  }
})

test('attacks of other groups, and those that were answered otherwise, are counted', async () => {
  const port = await management.protect('varied', behind)
  await management.call('PUT', 'services/varied/basic-security', { mode: 'Active' })
  await management.call('POST', 'services/varied/url-acls', {
    name: 'moved',
    url: '/moved',
    action: 'Temporary Redirect',
    'redirect-url': '/new',
  })
  await management.call('POST', 'services/varied/url-acls', {
    name: 'secret',
    url: '/secret',
    action: 'Deny and Log',
  })
  await management.call('PUT', 'security-policies/default/request-limits', { 'max-number-of-cookies': 2 })
  await management.call('PUT', 'security-policies/default/url-protection', { 'maximum-upload-files': 2 })
  await management.untilHealth('services/varied', 'Up')
  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  const requests: [counter: string, argv: string[]][] = [
    ['attacks-redirected', [at('/moved')]],
    ['forceful-browsing', [at('/secret')]],
    ['limits-violations', ['--cookie', 'one=1; two=2; three=3', at('/')]],
    ['injection-attacks', [at('/?q=%3Bcat%20/etc/passwd')]],
    ['protocol-violations', ['--request', 'GET', '--data', 'a=b', at('/')]],
    [
      'file-attacks',
      [...'abc'].flatMap((name) => ['--form', `${name}=@/dev/null;filename=a.txt`]).concat(at('/')),
    ],
  ]
  for (const [, argv] of requests) await curl(...argv)
  let figuresNow: Record<string, number> = {}
  await eventually('all groups being counted', async () => {
    figuresNow = await figures('varied', 'attack-stats')
    return requests.every(([counter]) => (figuresNow[counter] ?? 0) > 0) ? true : undefined
  }).catch((error: Error) => assert.fail(`${error.message}: ${JSON.stringify(figuresNow)}`))
})

test('the access log says with which status a request was answered, and how much was sent of a page of ours', async () => {
  const [refused] = await management.entries(
    'access-logs',
    (entry) => entry['service-name'] === 'attacked' && entry['http-status'] === '403',
  )
  assert.ok(Number(refused?.['bytes-sent']) > 100, JSON.stringify(refused))
  const [notFound] = await management.entries('access-logs', (entry) => entry['http-status'] === '404')
  assert.equal(notFound?.['bytes-sent'], '2000')
})

test('every field of the logs of traffic holds something, but for those that say that they never do', async () => {
  const port = await management.protect('filled', behind, { 'app-id': 'the-filled-one' })
  await management.call('PUT', 'services/filled/basic-security', {
    mode: 'Active',
    'client-ip-addr-header': 'X-Forwarded-For',
  })
  await management.call('POST', 'services/filled/url-encryption-rules', {
    name: 'everything',
    host: '*',
    url: '/*',
    'exclude-urls': ['/links', '/status/*'],
  })
  await management.call('PUT', 'services/filled/url-encryption', { status: 'On' })
  const action = 'security-policies/default/action-policies/method-not-allowed'
  await management.call('PUT', action, {
    'follow-up-action': 'Block Client-IP',
    'follow-up-action-time': 60,
  })
  await management.untilHealth('services/filled', 'Up')
  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  const from = (address: string) => ({
    headers: { 'x-forwarded-for': address, referer: 'https://www.example.com/from', 'user-agent': 'a test' },
  })
  const page = await (await fetch(at('/links'), from('203.0.113.1'))).text()
  const [, link = ''] = /href="([^"]+)"/.exec(page) ?? []
  assert.equal((await fetch(at(link), from('203.0.113.1'))).status, 200)
  const attack = "/status/200?id=1' UNION SELECT user,password FROM users-- "
  assert.equal((await fetch(at(encodeURI(attack)), from('203.0.113.2'))).status, 403)
  const refused = await fetch(at('/status/200'), { ...from('203.0.113.3'), method: 'PROPFIND' })
  assert.equal(refused.status, 403)

  for (const [log, schema] of [
    ['access-logs', 'AccessLogEntry'],
    ['web-firewall-logs', 'WebFirewallLogEntry'],
  ] as const) {
    const expected = await fieldsThatHoldSomething(schema)
    assert.ok(expected.length > 25)
    let empty: string[] = []
    await eventually(`all fields of the ${log}`, async () => {
      const { data = {} } = await management.call('GET', `${log}?limit=1000`)
      const entries = Object.values(data as Record<string, Record<string, string>>)
      const own = entries.filter((entry) => entry['service-name'] === 'filled')
      empty = expected.filter((field) => own.every((entry) => (entry[field] ?? '') === ''))
      return empty.length === 0 ? true : undefined
    }).catch((error: Error) => assert.fail(`${error.message}: ${empty.join(', ')}`))
  }
})

/** What takes a login or a database of countries: firewall-proxy-sign-in and firewall-proxy-reputation look at these. */
const filledElsewhere = ['authenticated-user', 'country', 'country-code']

/** The other fields of a log's entries of which the API's description does not say that they are empty. */
async function fieldsThatHoldSomething(schema: string): Promise<string[]> {
  const document = JSON.parse(await (await fetch(`${services}/openapi/firewall.json`)).text())
  const fields: Record<string, { description?: string }> = document.components.schemas[schema].properties
  return Object.entries(fields).flatMap(([field, { description = '' }]) =>
    description.startsWith('Always empty: ') || filledElsewhere.includes(field) ? [] : [field],
  )
}
