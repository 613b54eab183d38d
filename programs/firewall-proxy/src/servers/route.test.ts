import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import type { SnapshotBalancing, SnapshotServer, SnapshotService } from '@palisade/proxy-protocol'
import { carried, serverAt } from '../testing/carried.ts'
import { switchingProtocols, webSocketHeaders } from '../testing/web-socket.ts'

const well = { refusedMax: 0, timeoutsMax: 0, httpErrorsMax: 0, otherFailuresMax: 0 }
const applications: ReturnType<typeof createServer>[] = []
after(() => {
  for (const one of applications) one.close().closeAllConnections()
})

/** A server that answers its own name, unless told to fail. */
async function serverNamed(name: string, settings: Partial<SnapshotServer> = {}) {
  const does = { status: 200, asked: 0 }
  const application = createServer((incoming, response) => {
    does.asked++
    response.writeHead(
      does.status,
      incoming.url === '/login' ? { 'set-cookie': `session=${name}; Path=/` } : {},
    )
    response.end(name)
  })
  applications.push(application)
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  const server = serverAt((application.address() as AddressInfo).port, { name, ...settings })
  return { server, does, application }
}

interface Got {
  readonly status: number
  readonly body: string
  readonly cookies: readonly string[]
}

function get(port: number, path = '/', headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    request({ port, path, headers, host: '127.0.0.1', agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      response.on('end', () => {
        const cookies = response.headers['set-cookie'] ?? []
        resolve({
          status: response.statusCode ?? 0,
          body,
          cookies: cookies.map((one) => one.split(';')[0] ?? ''),
        })
      })
    })
      .on('error', reject)
      .end()
  })
}

async function serve(t: TestContext, service: Partial<SnapshotService>): Promise<number> {
  const { port } = await carried(t, { application: (_, response) => response.end('unused'), service })
  return port
}

const balancing = (settings: Partial<SnapshotBalancing>): SnapshotBalancing => ({
  algorithm: 'round-robin',
  whenServerFails: 'another',
  ...settings,
})

async function counted(
  port: number,
  times: number,
  path = '/',
  headers = {},
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let index = 0; index < times; index++) {
    const { status, body } = await get(port, path, headers)
    const key = status === 200 ? body : String(status)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

test('servers get requests in turn, or as their weights say', async (t) => {
  const [one, two] = [await serverNamed('one'), await serverNamed('two', { weight: 3 })]
  const servers = [one.server, two.server]
  assert.deepEqual(await counted(await serve(t, { servers }), 8), { one: 4, two: 4 })
  const weighted = await serve(t, { servers, balancing: balancing({ algorithm: 'weighted-round-robin' }) })
  assert.deepEqual(await counted(weighted, 8), { one: 2, two: 6 })
})

test('the server with the fewest requests under way gets the next', async (t) => {
  const two = await serverNamed('two')
  const waiting: (() => void)[] = []
  const slow = createServer((_, response) => waiting.push(() => response.end('slow')))
  applications.push(slow)
  slow.listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const one = { ...two.server, name: 'slow', port: (slow.address() as AddressInfo).port }
  const port = await serve(t, {
    servers: [one, two.server],
    balancing: balancing({ algorithm: 'least-requests' }),
  })
  const both = [get(port), get(port)]
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual(await counted(port, 5), { two: 5 })
  for (const answer of waiting) answer()
  await Promise.all(both)
})

for (const [by, headers, path] of [
  ['source-address', {}, '/'],
  ['header', { 'x-user': 'anna' }, '/'],
  ['parameter', {}, '/?user=anna'],
] as const) {
  test(`clients known by ${by} stay with a server, also in another process`, async (t) => {
    const servers = [
      (await serverNamed('one')).server,
      (await serverNamed('two')).server,
      (await serverNamed('three')).server,
    ]
    const persistence =
      by === 'source-address'
        ? ({ by, prefixLength: 24 } as const)
        : { by, name: by === 'header' ? 'X-User' : 'user' }
    const settings = { servers, balancing: balancing({ persistence }) }
    const first = await counted(await serve(t, settings), 6, path, headers)
    assert.equal(Object.keys(first).length, 1)
    assert.deepEqual(await counted(await serve(t, settings), 6, path, headers), first)
  })
}

test('a cookie of the proxy binds a client, and says nothing about the server', async (t) => {
  const [one, two] = [await serverNamed('one'), await serverNamed('two')]
  const cookieOf = { by: 'cookie-insert', name: 'persistence', path: '/', idleSeconds: 600 } as const
  const persistence = { ...cookieOf, key: 'a key' }
  const port = await serve(t, { servers: [one.server, two.server], balancing: balancing({ persistence }) })
  const first = await get(port)
  const [cookie = ''] = first.cookies
  assert.match(cookie, /^persistence=[\w-]{16}\.\w+$/)
  for (const { server } of [one, two]) {
    const plain = createHash('sha256')
      .update(`${server.host} ${server.port}`)
      .digest('base64url')
      .slice(0, 16)
    assert.ok(!cookie.includes(plain), 'whoever tries all addresses finds the server')
  }
  const otherKey = balancing({ persistence: { ...cookieOf, key: 'another key' } })
  const elsewhere = await get(await serve(t, { servers: [one.server], balancing: otherKey }), '/', { cookie })
  assert.equal(elsewhere.cookies.length, 1, 'a cookie that was made with another key is none')
  assert.deepEqual(await counted(port, 5, '/', { cookie }), { [first.body]: 5 })
  assert.deepEqual((await get(port, '/', { cookie })).cookies, [], 'not set anew while it is fresh')
  const tampered = cookie.replace(/=.{16}/, '=AAAAAAAAAAAAAAAA')
  assert.equal((await get(port, '/', { cookie: tampered })).cookies.length, 1)
})

test("a server's own cookie binds the client to it", async (t) => {
  const servers = [(await serverNamed('one')).server, (await serverNamed('two')).server]
  const persistence = { by: 'cookie-passive', name: 'session', idleSeconds: 600 } as const
  const port = await serve(t, { servers, balancing: balancing({ persistence }) })
  const { body, cookies } = await get(port, '/login')
  assert.deepEqual(await counted(port, 5, '/', { cookie: cookies[0] ?? '' }), { [body]: 5 })
})

test('what binds a client outlives a change of the service', async (t) => {
  const all = [await serverNamed('one'), await serverNamed('two'), await serverNamed('three')]
  const servers = all.map(({ server }) => server)
  const persistence = { by: 'cookie-passive', name: 'session', idleSeconds: 600 } as const
  const { plane, port, service } = await carried(t, {
    application: (_, response) => response.end('unused'),
    service: { servers, balancing: balancing({ persistence }) },
  })
  const { body, cookies } = await get(port, '/login')
  await plane.apply({ services: [{ ...service, logsAccess: false, servers: servers.toReversed() }] })
  assert.deepEqual(await counted(port, 6, '/', { cookie: cookies[0] ?? '' }), { [body]: 6 })
})

test('a sticky server keeps its clients and gets no new ones; one in maintenance loses them', async (t) => {
  const [one, two] = [await serverNamed('one'), await serverNamed('two')]
  const persistence = { by: 'cookie-insert', name: 'at', path: '/', idleSeconds: 0 } as const
  const settings = { balancing: balancing({ persistence }) }
  const bound = await serve(t, { ...settings, servers: [one.server] })
  const cookie = (await get(bound)).cookies[0] ?? ''
  const sticky = await serve(t, { ...settings, servers: [{ ...one.server, state: 'sticky' }, two.server] })
  assert.deepEqual(await counted(sticky, 3, '/', { cookie }), { one: 3 })
  assert.deepEqual(await counted(sticky, 3), { two: 3 })
  const away = await serve(t, { ...settings, servers: [{ ...one.server, state: 'maintenance' }, two.server] })
  assert.deepEqual(await counted(away, 3, '/', { cookie }), { two: 3 })
})

test('a server that is taken out of service altogether ends what it was doing, WebSockets too', async (t) => {
  const [one, two] = [createServer(), createServer()]
  const came: Record<string, Promise<ServerResponse>> = {}
  for (const server of [one, two]) {
    applications.push(server)
    const name = server === one ? 'one' : 'two'
    came[name] = new Promise((resolve) => server.on('request', (_, response) => resolve(response)))
    server.on('upgrade', (request, socket) => socket.write(switchingProtocols(request)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const servers = [one, two].map((server, index) =>
    serverAt((server.address() as AddressInfo).port, { name: `server ${index}`, responseTimeoutMs: 0 }),
  )
  const [off, other] = servers
  assert.ok(off && other)
  const settings = { servers: [off], allowsWebSockets: true }
  const { plane, port, service } = await carried(t, {
    application: (_, response) => response.end(),
    service: settings,
  })
  const webSocket = request({ port, host: '127.0.0.1', headers: webSocketHeaders }).end()
  const [, socket] = await once(webSocket, 'upgrade')
  const waiting = get(port)
  await came.one
  await plane.apply({ services: [{ ...service, servers: [other] }] })
  const untouched = get(port)
  const answer = await came.two
  await plane.apply({ services: [{ ...service, servers: [{ ...off, state: 'off' }, other] }] })
  assert.equal((await waiting).status, 503)
  if (!socket.closed) await once(socket.resume(), 'close')
  answer?.end('two')
  assert.equal((await untouched).body, 'two')
})

test('a client whose server is gone gets another one, or an error where that is wanted', async (t) => {
  const [one, two] = [await serverNamed('one'), await serverNamed('two')]
  const persistence = { by: 'header', name: 'user' } as const
  const servers = [one.server, two.server]
  const user = await serve(t, { servers, balancing: balancing({ persistence }) })
  const { body } = await get(user, '/', { user: 'anna' })
  const [gone, left] = body === 'one' ? [one, 'two'] : [two, 'one']
  gone.application.close().closeAllConnections()
  assert.equal((await get(user, '/', { user: 'anna' })).body, left)
  const strict = await serve(t, { servers, balancing: balancing({ persistence, whenServerFails: 'error' }) })
  assert.equal((await get(strict, '/', { user: 'anna' })).status, 502)
})

test('a server that fails as often in a row as it may is left out', async (t) => {
  const [one, two] = [
    await serverNamed('one', { health: { ...well, httpErrorsMax: 2 } }),
    await serverNamed('two'),
  ]
  one.does.status = 500
  const port = await serve(t, { servers: [one.server, two.server] })
  await counted(port, 10)
  assert.equal(one.does.asked, 2)
})

test('probes find a server that is ill before clients do, and one that is well again', async (t) => {
  const probe = {
    everySeconds: 0.02,
    request: { method: 'GET', path: '/health', headers: ['X-From', 'probe'], status: 200, contains: 'on' },
  }
  const [one, two] = [await serverNamed('one', { health: { ...well, probe } }), await serverNamed('two')]
  const { plane, port } = await carried(t, {
    application: (_, response) => response.end('unused'),
    service: { servers: [one.server, two.server] },
  })
  const isUp = () => plane.services[0]?.servers.find(({ name }) => name === 'one')?.isUp
  const until = async (isHealthy: boolean) => {
    while (isUp() !== isHealthy) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await until(true)
  one.does.status = 503
  await until(false)
  assert.deepEqual(await counted(port, 4), { two: 4 })
  one.does.status = 200
  await until(true)
  assert.deepEqual(await counted(port, 4), { one: 2, two: 2 })
})

test('a content rule sends what it is about to its own servers', async (t) => {
  const [one, two, three] = [await serverNamed('one'), await serverNamed('two'), await serverNamed('three')]
  const rule = { host: '*', sequence: 1, logsAccess: true, balancing: balancing({}) }
  const port = await serve(t, {
    servers: [one.server],
    contentRules: [
      { ...rule, name: 'api', url: '/api/*', extendedMatch: 'Header X-New ex', servers: [three.server] },
      { ...rule, name: 'old', url: '/api/*', extendedMatch: '*', servers: [two.server] },
      { ...rule, name: 'host', host: 'shop.example', url: '/*', extendedMatch: '*', servers: [two.server] },
    ],
  })
  assert.equal((await get(port, '/')).body, 'one')
  assert.equal((await get(port, '/api/x?y')).body, 'two')
  assert.equal((await get(port, '/api/x', { 'x-new': '1' })).body, 'three')
  assert.equal((await get(port, '/', { host: 'shop.example:80' })).body, 'two')
})
