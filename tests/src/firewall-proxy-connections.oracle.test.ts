import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Socket,
} from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { WebSocket, WebSocketServer } from 'ws'
import { Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, Server } from './support/programs/server.ts'

const run = promisify(execFile)
const insecure = { host: '127.0.0.1', rejectUnauthorized: false } as const

/** An application that says what it got, and a WebSocket that sends everything back. */
const application = createServer((incoming, response) => {
  let size = 0
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  incoming.on('end', () => {
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    if (incoming.url === '/large') response.end(Buffer.alloc(4 * 1024 * 1024, 'x'))
    else response.end(JSON.stringify({ ...describe(incoming), size }))
  })
})
const describe = ({ method, url, httpVersion, headers }: IncomingMessage) => ({
  method,
  url,
  httpVersion,
  headers,
})
const sockets = new WebSocketServer({ server: application, path: '/echo' })
sockets.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
})

let management: Management
let behind: number
let port: number
before(async () => {
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  behind = (application.address() as AddressInfo).port
  const server = await Server.start()
  await ProxyProcess.start(server, undefined, { spareWorker: false })
  management = await Management.connect(server)
  for (const [name, common] of [
    ['site', 'shop.example.org'],
    ['other', 'other.example.org'],
  ] as const) {
    await management.makeCertificate(name, common)
  }
  // These tests are about connections: the policy takes large bodies, lets errors be seen and leaves cookies alone.
  for (const [section, body] of [
    ['url-protection', { 'max-content-length': 1_000_000 }],
    ['parameter-protection', { 'maximum-parameter-value-length': 1_000_000 }],
    ['cookie-security', { 'tamper-proof-mode': 'None' }],
    ['cloaking', { 'suppress-return-code': 'No' }],
  ] as const)
    await management.call('PUT', `security-policies/default/${section}`, body)
  port = await management.protect('secure', behind, { type: 'HTTPS', certificate: 'site' })
  await management.call('PUT', 'services/secure/advanced-configuration', {
    'enable-http2': 'Yes',
    'enable-websocket': 'Yes',
  })
  await management.call('PUT', 'services/secure/basic-security', { mode: 'Active' })
  await management.untilHealth('services/secure', 'Up')
})
after(async () => {
  for (const client of sockets.clients) client.terminate()
  application.close().closeAllConnections()
  await cleanUp()
})

interface Answer {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function ask(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<Answer> {
  const stream = session.request(headers, { endStream: body === undefined })
  const pieces: Buffer[] = []
  const ended = once(
    stream.on('data', (chunk: Buffer) => pieces.push(chunk)),
    'end',
  )
  if (body !== undefined) stream.end(body)
  const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  await ended
  return { headers: answer, body: Buffer.concat(pieces).toString('latin1') }
}

test('clients that offer HTTP/2 get it, with cookies, bodies and inspection', async () => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, insecure)
  try {
    const cookies = { cookie: 'one=1; two=2' }
    const plain = await ask(session, { ':path': '/x?y=1', ':authority': 'shop.example.org', ...cookies })
    assert.equal(plain.headers[':status'], 200)
    assert.deepEqual(plain.headers['set-cookie'], ['a=1', 'b=2'])
    const echo = JSON.parse(plain.body)
    assert.equal(echo.url, '/x?y=1')
    assert.equal(echo.httpVersion, '1.1')
    assert.equal(echo.headers.host, 'shop.example.org')
    assert.equal(echo.headers.cookie, 'one=1; two=2')
    const form = { ':path': '/', ':method': 'POST', 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await ask(session, form, Buffer.from(`a=${'x'.repeat(99_998)}`))
    assert.equal(JSON.parse(posted.body).size, 100_000)
    const large = await ask(session, { ':path': '/large' })
    assert.equal(large.body.length, 4 * 1024 * 1024)
    const attack = await ask(session, { ':path': '/?id=1%27%20or%20%271%27=%271%20union%20select%201' })
    assert.equal(attack.headers[':status'], 403)
    const many = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(session, { ':path': `/${index}` })),
    )
    assert.deepEqual(
      many.map(({ body }) => JSON.parse(body).url),
      many.map((_, index) => `/${index}`),
    )
  } finally {
    session.close()
  }
  const logged = await management.entries('access-logs', (entry) => entry.version === 'HTTP/2.0', 50)
  assert.ok(logged.every(({ host }) => host !== undefined))
})

test('h2load finds nothing wrong with it', async () => {
  const { stdout } = await run('h2load', [
    '-n',
    '500',
    '-c',
    '5',
    '-m',
    '10',
    `https://127.0.0.1:${port}/load`,
  ])
  assert.match(stdout, /500 succeeded, 0 failed, 0 errored, 0 timeout/)
})

test('a request over HTTP/2 for two hosts, or for what is no host, is refused', async () => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, insecure)
  for (const hosts of [
    { ':authority': 'a.example', host: 'b.example' },
    { ':authority': 'a.example:80x' },
    { ':authority': 'a.example,b.example' },
  ]) {
    const { headers } = await ask(session, { ':path': '/', ...hosts })
    assert.equal(headers[':status'], 400, hosts[':authority'])
  }
  session.close()
})

test('a WebSocket passes both ways, in pieces of any size', async () => {
  const socket = new WebSocket(`wss://127.0.0.1:${port}/echo`, insecure)
  await once(socket, 'open')
  for (const message of [Buffer.from('hello'), Buffer.alloc(0), Buffer.alloc(3 * 1024 * 1024, 'y')]) {
    socket.send(message)
    const [back] = (await once(socket, 'message')) as [Buffer]
    assert.ok(back.equals(message), `${message.length} bytes`)
  }
  socket.close(1000)
  assert.equal((await once(socket, 'close'))[0], 1000)
  const [entry] = await management.entries('access-logs', ({ url }) => url === '/echo')
  assert.ok(Number(entry?.['bytes-sent']) > 3 * 1024 * 1024)
})

test('the request for a WebSocket is inspected, and refused where services allow none', async () => {
  const statusOf = (address: string) =>
    new Promise<number | undefined>((resolve) => {
      new WebSocket(address, insecure)
        .on('unexpected-response', (_request, response) => resolve(response.statusCode))
        .on('open', () => resolve(101))
        .on('error', () => undefined)
    })
  const attack = '?id=1%27%20or%20%271%27=%271%20union%20select%201'
  assert.equal(await statusOf(`wss://127.0.0.1:${port}/echo${attack}`), 403)
  assert.equal(await statusOf(`wss://127.0.0.1:${port}/elsewhere`), 400)
  const closed = await management.protect('no-sockets', behind)
  await management.untilHealth('services/no-sockets', 'Up')
  assert.equal(await statusOf(`ws://127.0.0.1:${closed}/echo`), 200)
})

test('what rules find in the request for a WebSocket is logged while it goes on, and once', async () => {
  const socket = new WebSocket(`wss://127.0.0.1:${port}/echo?logged`, insecure)
  await once(socket, 'open')
  // The host is a number.
  const isAbout = (entry: Record<string, string>) =>
    entry['query-string'] === 'logged' && entry.rule === '920350'
  await management.entries('web-firewall-logs', isAbout)
  socket.close()
  await management.entries('access-logs', (entry) => entry['query-string'] === 'logged')
  assert.equal((await management.entries('web-firewall-logs', isAbout)).length, 1)
})

test('a WebSocket ends at the server when its client is gone, and at the client when the server is', async () => {
  const client = new WebSocket(`wss://127.0.0.1:${port}/echo`, insecure)
  await once(client, 'open')
  assert.equal(sockets.clients.size, 1)
  client.terminate()
  await eventually('the server losing its client', async () =>
    sockets.clients.size === 0 ? true : undefined,
  )
  const other = new WebSocket(`wss://127.0.0.1:${port}/echo`, insecure)
  await once(other, 'open')
  const closed = once(other, 'close')
  for (const one of sockets.clients) one.terminate()
  assert.equal((await closed)[0], 1006)
})

async function handshake(at: number, options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connectTls({ port: at, ...insecure, ...options })
  await once(socket, 'secureConnect')
  return socket
}

test('the domain that a client asks for decides which certificate it is shown', async () => {
  const at = await management.protect('domains', behind, { type: 'HTTPS', certificate: 'site' })
  await management.call('PUT', 'services/domains/ssl-security', {
    'enable-sni': 'Yes',
    domain: ['other.example.org', '*.wild.example'],
    'sni-certificate': ['other', 'other'],
  })
  await management.untilHealth('services/domains', 'Up')
  const shownTo = async (servername: string) => {
    const socket = await handshake(at, { servername })
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return subject.CN
  }
  assert.equal(await shownTo('other.example.org'), 'other.example.org')
  assert.equal(await shownTo('a.wild.example'), 'other.example.org')
  assert.equal(await shownTo('unknown.example'), 'shop.example.org')
  await management.call('PUT', 'services/domains/ssl-security', { 'enable-strict-sni-check': 'Yes' })
  await management.untilHealth('services/domains', 'Up')
  assert.equal(await shownTo('other.example.org'), 'other.example.org')
  await assert.rejects(shownTo('unknown.example'))
})

test('versions and ciphers are those that are configured', async () => {
  const at = await management.protect('ciphers', behind, { type: 'HTTPS', certificate: 'site' })
  await management.call('PUT', 'services/ciphers/ssl-security', {
    'enable-tls-1-3': 'No',
    ciphers: 'Custom',
    'selected-ciphers': ['ECDHE-RSA-AES256-GCM-SHA384'],
  })
  await management.untilHealth('services/ciphers', 'Up')
  const socket = await handshake(at, {})
  assert.equal(socket.getProtocol(), 'TLSv1.2')
  assert.equal(socket.getCipher().name, 'ECDHE-RSA-AES256-GCM-SHA384')
  socket.destroy()
  await assert.rejects(handshake(at, { ciphers: 'ECDHE-RSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' }))
  await assert.rejects(handshake(at, { minVersion: 'TLSv1.3' }))
})

test('clients without a trusted certificate are turned away where one is wanted', async () => {
  const [ca, caKey] = certificate('/CN=authority')
  const [other, otherKey] = certificate('/CN=somebody')
  await management.call('POST', 'trusted-ca-certificate', {
    name: 'authority',
    certificate: Buffer.from(ca).toString('base64'),
  })
  const at = await management.protect('clients', behind, { type: 'HTTPS', certificate: 'site' })
  await management.call('PUT', 'services/clients/ssl-client-authentication', {
    'client-authentication': 'For Service',
    'enforce-client-certificate': 'Yes',
    'trusted-certificates': ['authority'],
    'client-authentication-rule-count': 0,
  })
  await management.untilHealth('services/clients', 'Up')
  const isServed = async (options: ConnectionOptions) => {
    const socket = connectTls({ port: at, ...insecure, ...options })
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    await once(socket, 'close').catch(() => undefined)
    return text.startsWith('HTTP/1.1 200')
  }
  assert.equal(await isServed({ cert: ca, key: caKey }), true)
  assert.equal(await isServed({}), false)
  assert.equal(await isServed({ cert: other, key: otherKey }), false)
  const counted = await eventually('the handshakes being counted', async () => {
    const { data } = await management.call('GET', 'stats/ssl-stats?service=clients')
    const [figures = {}] = Object.values(data as Record<string, Record<string, string>>)
    // Workers report by themselves, so the accepted one may come after those that failed.
    const isComplete =
      figures['ssl-handshakes-failed'] === '2' && figures['ssl-client-certificates-accepted'] === '1'
    return isComplete ? figures : undefined
  })
  assert.equal(counted['ssl-client-certificates-refused'], '1')
})

test('content rules that want certificates let nobody in without one, however addresses are spelt and connections reused', async () => {
  const [ca, caKey] = certificate('/CN=authority of rules')
  const [other, otherKey] = certificate('/CN=nobody')
  await management.call('POST', 'trusted-ca-certificate', {
    name: 'authority-of-rules',
    certificate: Buffer.from(ca).toString('base64'),
  })
  const at = await management.protect('by-rule', behind, { type: 'HTTPS', certificate: 'site' })
  await management.call('PUT', 'services/by-rule/advanced-configuration', { 'enable-http2': 'Yes' })
  await management.call('POST', 'services/by-rule/content-rules', {
    name: 'staff',
    'host-match': '*',
    'url-match': '/staff/*',
  })
  await management.call('PUT', 'services/by-rule/ssl-client-authentication', {
    'client-authentication': 'For Selected Rule(s)',
    'trusted-certificates': ['authority-of-rules'],
    'client-certificate-for-rule': ['staff'],
    'client-authentication-rule-count': 1,
  })
  await management.untilHealth('services/by-rule', 'Up')
  /** The statuses of requests one behind the other, over one connection of HTTP/1.1. */
  const statuses = async (paths: readonly string[], options: ConnectionOptions = {}) => {
    const socket = connectTls({ port: at, ...insecure, ...options })
    socket.on('error', () => undefined)
    for (const [index, path] of paths.entries()) {
      const last = index === paths.length - 1 ? 'Connection: close\r\n' : ''
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${last}\r\n`)
    }
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    let session: Buffer | undefined
    socket.on('session', (given) => {
      session = given
    })
    await once(socket, 'close').catch(() => undefined)
    return {
      all: Array.from(text.matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => status).join(' '),
      session,
    }
  }
  const spellings = [
    '/staff/',
    '/STAFF/x',
    '/x/../staff/x',
    '/%73taff/x',
    '/%2573taff/x',
    '//staff/x',
    '/staff;a=b/x',
  ]
  for (const path of spellings) assert.equal((await statuses([path])).all, '403', path)
  const nobody = await statuses(['/', '/staff/x', '/'])
  assert.equal(nobody.all, '200 403 200')
  const stranger = { cert: other, key: otherKey }
  assert.equal((await statuses(['/', '/staff/x'], stranger)).all, '200 403', 'its certificate is not trusted')
  const ann = { cert: ca, key: caKey }
  const known = await statuses(['/staff/x', '/'], ann)
  assert.equal(known.all, '200 200')
  // A session that is resumed is that of the client that began it.
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const only = { minVersion: version, maxVersion: version }
    const { session } = await statuses(['/'], only)
    assert.equal((await statuses(['/staff/x'], { ...only, session })).all, '403', version)
  }
  const url = `https://127.0.0.1:${at}`
  for (const [options, status] of [
    [{}, 403],
    [ann, 200],
  ] as const) {
    const session = connectHttp2(url, { ...insecure, ...options })
    assert.equal((await ask(session, { ':path': '/' })).headers[':status'], 200)
    assert.equal((await ask(session, { ':path': '/staff/x' })).headers[':status'], status)
    session.close()
  }
  const [entry] = await management.entries('web-firewall-logs', (one) => one.rule === 'staff')
  assert.deepEqual([entry?.attack, entry?.action], ['deny-acl-matched', 'DENY'])
})

test('what speaks no TLS to a service that does is sent away, and others are served', async () => {
  const socket = connectTcp(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  socket.on('error', () => undefined).resume()
  await once(socket, 'close').catch(() => undefined)
  const session = connectHttp2(`https://127.0.0.1:${port}`, insecure)
  assert.equal((await ask(session, { ':path': '/' })).headers[':status'], 200)
  session.close()
})

test('so many connections to a server are opened at once as there may be', async () => {
  const sockets: Socket[] = []
  // It never says anything, so that TLS is not established.
  const silent = createTcpServer((socket) => sockets.push(socket.on('error', () => undefined)))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const at = await management.protect('opening', (silent.address() as AddressInfo).port, {
    type: 'HTTPS',
    certificate: 'site',
  })
  await management.call('PUT', 'services/opening/advanced-configuration', { 'enable-http2': 'Yes' })
  const server = 'services/opening/servers/one'
  await management.call('PUT', `${server}/ssl-policy`, { 'enable-https': 'Yes' })
  await management.call('PUT', `${server}/advanced-configuration`, { 'max-establishing-connections': 1 })
  await management.untilHealth('services/opening', 'Up')
  // One connection, and so one worker.
  const session = connectHttp2(`https://127.0.0.1:${at}`, insecure)
  const answers = Promise.all([1, 2, 3].map(() => ask(session, { ':path': '/' })))
  if (sockets.length === 0) await once(silent, 'connection')
  await pause(500)
  assert.equal(sockets.length, 1)
  silent.close()
  for (const socket of sockets) socket.destroy()
  for (const { headers } of await answers) assert.equal(headers[':status'], 502)
  session.close()
})

test('so many requests wait for a server as may, and others get another server or an error', async () => {
  const responses: ServerResponse[] = []
  const slow = createServer((_, response) => responses.push(response))
  slow.listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const at = await management.protect('waiting', (slow.address() as AddressInfo).port, {
    type: 'HTTPS',
    certificate: 'site',
  })
  await management.call('PUT', 'services/waiting/advanced-configuration', { 'enable-http2': 'Yes' })
  await management.call('PUT', 'services/waiting/servers/one/advanced-configuration', {
    'max-connections': 1,
    'max-requests': 1,
  })
  await management.untilHealth('services/waiting', 'Up')
  // One connection, and so one worker.
  const session = connectHttp2(`https://127.0.0.1:${at}`, insecure)
  const served = ask(session, { ':path': '/' })
  if (responses.length === 0) await once(slow, 'request')
  const next = [ask(session, { ':path': '/' }), ask(session, { ':path': '/' })]
  assert.equal((await Promise.race(next)).headers[':status'], 503)
  await management.addServer('waiting', 'another', behind)
  await management.untilHealth('services/waiting', 'Up')
  for (let count = 0; count < 4; count++) {
    assert.equal((await ask(session, { ':path': '/' })).headers[':status'], 200)
  }
  slow.on('request', (_, response) => response.end())
  responses[0]?.end()
  const statuses = (await Promise.all([served, ...next])).map(({ headers }) => headers[':status'])
  assert.deepEqual(statuses.toSorted(), [200, 200, 503])
  session.close()
  slow.close().closeAllConnections()
})

/** A self-signed certificate and its key, PEM. */
function certificate(subject: string): [string, string] {
  const pem = execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      subject,
      '-keyout',
      '-',
      '-out',
      '-',
    ],
    { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
  )
  const [key = ''] = /-----BEGIN PRIVATE KEY.*?END PRIVATE KEY-----\n/s.exec(pem) ?? []
  return [pem.replace(key, ''), key]
}
