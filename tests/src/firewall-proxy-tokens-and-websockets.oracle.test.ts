import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, importPKCS8, SignJWT } from 'jose'
import { WebSocket, WebSocketServer } from 'ws'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

/** Judges what comes to one service, which blocks, by tokens of `jose` and sockets of `ws`. */
let server: Server
let management: Management
/** Sends back what it is told, and compresses where that is agreed on. */
let sockets: WebSocketServer
let port: number
let chatPort: number
/** Files of an issuer that the proxy trusts. */
let certificate: string
let privateKey: string
before(async () => {
  server = await Server.start()
  const folder = newFolder()
  certificate = join(folder, 'issuer.pem')
  privateKey = join(folder, 'issuer-key.pem')
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost']
  execFileSync('openssl', ['req', ...kind, '-keyout', privateKey, '-out', certificate], { stdio: 'ignore' })
  await ProxyProcess.start(server, undefined, {}, { NODE_EXTRA_CA_CERTS: certificate })
  management = await Management.connect(server)
  const shop = await application((request, response) => response.end(`reached ${request.url}`))
  sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true })
  sockets.on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  )
  await once(sockets, 'listening')
  port = await management.protect('shop', shop)
  chatPort = await management.protect('chat', (sockets.address() as AddressInfo).port)
  await management.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
  sockets.close()
  for (const socket of sockets.clients) socket.terminate()
})

const rs = await generateKeyPair('RS256', { extractable: true })
const es = await generateKeyPair('ES256', { extractable: true })

function signed(alg: string, key: Parameters<SignJWT['sign']>[0], kid?: string): Promise<string> {
  const header = { alg, typ: 'JWT', ...(kid ? { kid } : {}) }
  return new SignJWT({ scope: 'orders' })
    .setProtectedHeader(header)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key)
}

async function statusWith(token: string | undefined, path = '/api/orders'): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status
}

test('requests for an API pass with tokens of jose, by keys in PEM, a set of keys and a shared one', async () => {
  const secret = 'a secret that the issuer of tokens shares with the firewall'
  const set = { keys: [{ ...(await exportJWK(es.publicKey)), kid: 'es-1', alg: 'ES256', use: 'sig' }] }
  await management.call('POST', 'jwt-public-keys', {
    'public-keys-name': 'rsa',
    'key-contents': await exportSPKI(rs.publicKey),
  })
  await management.call('POST', 'jwt-public-keys', {
    'public-keys-name': 'set',
    'key-contents': JSON.stringify(set),
  })
  await management.call('POST', 'jwt-validator-endpoints', {
    name: 'issuer',
    'verify-public-keys': ['rsa', 'set'],
    'public-keys-kid': ['rs-1'],
    'verify-shared-keys': secret,
    'shared-keys-kid': 'hs-1',
  })
  await management.call('POST', 'services/shop/jwt-url-profiles', {
    name: 'api',
    'host-match': '*',
    url: '/api/*',
    'extended-match': '*',
    'validator-policy': 'issuer',
  })
  await management.untilHealth('services/shop', 'Up')
  const shared = new TextEncoder().encode(secret)
  const good = [
    await signed('RS256', rs.privateKey, 'rs-1'),
    await signed('PS384', await importPKCS8(await exportPKCS8(rs.privateKey), 'PS384'), 'rs-1'),
    await signed('ES256', es.privateKey, 'es-1'),
    await signed('HS512', shared, 'hs-1'),
    await signed('RS256', rs.privateKey),
  ]
  // Every worker of the proxy, with a token that it has seen and with one that it has not.
  for (const token of [...good, ...good, ...good]) assert.equal(await statusWith(token), 200)
  const refused = [
    undefined,
    await signed('RS256', (await generateKeyPair('RS256')).privateKey, 'rs-1'),
    await signed('ES256', es.privateKey, 'rs-1'),
    await signed('HS256', new TextEncoder().encode(await exportSPKI(rs.publicKey)), 'rs-1'),
  ]
  for (const token of refused) assert.equal(await statusWith(token), 403)
  assert.equal(await statusWith(undefined, '/shop'), 200)
  const [entry] = await management.entries(
    'web-firewall-logs',
    ({ attack }) => attack === 'jwt-validation-failed',
    4,
  )
  assert.deepEqual([entry?.action, entry?.rule, entry?.['attack-category']], ['DENY', 'api', 'Auth Attacks'])
})

/** An issuer that gives its keys, and says of tokens which are good. */
async function issuer(): Promise<{ readonly at: string; close(): void }> {
  const keys = [{ ...(await exportJWK(es.publicKey)), kid: 'es-1', alg: 'ES256', use: 'sig' }]
  const http = createServer(
    { cert: readFileSync(certificate), key: readFileSync(privateKey) },
    async (request, response) => {
      if (request.url === '/moved') return response.writeHead(302, { location: '/keys' }).end()
      if (request.url === '/keys') return response.end(JSON.stringify({ keys }))
      const form = new URLSearchParams(await text(request))
      const isAsked =
        request.headers.authorization === `Basic ${btoa('shop:s3%26cret')}` && form.get('hint') === 'a b'
      return response.end(JSON.stringify({ active: isAsked && form.get('jeton') === 'opaque-and-good' }))
    },
  ).listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    at: `https://localhost:${(http.address() as AddressInfo).port}`,
    close: () => {
      http.close()
      http.closeAllConnections()
    },
  }
}

function validate(members: object) {
  return management.call('PUT', 'jwt-validator-endpoints/issuer', members)
}

test('keys are fetched over HTTPS alone, from no forbidden address and by no redirect; an endpoint says what is good', async (t) => {
  const { at, close } = await issuer()
  t.after(close)
  await validate({ 'verify-public-keys': [], 'verify-shared-keys': '', 'verify-jwks-uri': `${at}/keys` })
  await management.untilHealth('services/shop', 'Up')
  const good = await signed('ES256', es.privateKey, 'es-1')
  const fetched = [good, good, good, await signed('RS256', rs.privateKey, 'rs-1')]
  const statuses = await Promise.all(fetched.map((token) => statusWith(token)))
  assert.deepEqual(statuses, [200, 200, 200, 403])
  for (const [url, reason] of [
    [`${at}/moved`, /status 302/],
    ['https://169.254.169.254/keys', /has forbidden connections/],
  ] as const) {
    await validate({ 'verify-jwks-uri': url })
    await management.untilHealth('services/shop', 'Up')
    assert.equal(await statusWith(good), 403, url)
    await management.entries('web-firewall-logs', (entry) => reason.test(entry['attack-detail'] ?? ''))
  }
  await validate({
    type: 'External',
    endpoint: `${at}/introspect`,
    'auth-mechanism': 'Client Secret Basic',
    'client-id': 'shop',
    'client-secret': 's3&cret',
    'token-param-name': 'jeton',
    'post-params': 'hint=a+b',
    'max-cache-size': 10,
  })
  await management.untilHealth('services/shop', 'Up')
  assert.deepEqual([await statusWith('opaque-and-good'), await statusWith(good)], [200, 403])
  close()
  assert.equal(await statusWith('opaque-and-bad'), 403)
})

test('the status of a service says of profiles for tokens what they do not do', async () => {
  await validate({ type: 'Internal', 'verify-jwks-uri': 'http://login.example.com/keys' })
  await management.untilHealth('services/shop', 'Up', /profile api .* asks for no token: .* https:/)
  assert.equal(await statusWith(undefined), 200)
  await management.call('POST', 'jwt-validator-endpoints', { name: 'unasked', type: 'External' })
  await management.call('PUT', 'services/shop/jwt-url-profiles/api', { 'validator-policy': 'unasked' })
  await management.untilHealth('services/shop', 'Up', /profile api .* asks for no token: .* is not given/)
  await management.call('POST', 'jwt-validator-endpoints', { name: 'nothing' })
  await management.call('PUT', 'services/shop/jwt-url-profiles/api', { 'validator-policy': 'nothing' })
  await management.untilHealth('services/shop', 'Up', /profile api .* takes no token for a good one/)
  assert.equal(await statusWith(await signed('RS256', rs.privateKey)), 403)
  await management.call('PUT', 'services/shop/jwt-url-profiles/api', { status: 'Off' })
  await management.untilHealth('services/shop', 'Up')
  assert.equal(await statusWith(undefined), 200)
})

/** A WebSocket of a stock client that is open, or the status of the answer that it got instead. */
async function socketTo(path: string, origin?: string): Promise<WebSocket | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${chatPort}${path}`, { ...(origin ? { origin } : {}) })
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      resolve(response.statusCode ?? 0)
    })
    socket.on('error', reject)
  })
}

async function opened(path: string): Promise<WebSocket> {
  const socket = await socketTo(path)
  assert.ok(socket instanceof WebSocket, `${path}: ${socket}`)
  return socket
}

/** What comes of a message: the echo of the application, or the number with which the WebSocket was closed. */
function answerTo(socket: WebSocket, message: string | Buffer): Promise<string | number> {
  return new Promise((resolve) => {
    socket.once('message', (data) => resolve(String(data)))
    socket.once('close', (code) => resolve(code))
    socket.send(message)
  })
}

const sql = "1' UNION SELECT password FROM users--"

test('messages of stock clients are judged by the rules, the policy and JSON profiles where a policy says so', async () => {
  await management.call('PUT', 'services/chat/basic-security', { mode: 'Active' })
  await management.call('POST', 'services/chat/websocket-policies', {
    name: 'all',
    host: '*',
    url: '/chat/*',
    mode: 'Active',
  })
  await management.untilHealth('services/chat', 'Up', /enable-websocket of advanced-configuration is No/)
  await management.call('PUT', 'services/chat/advanced-configuration', { 'enable-websocket': 'Yes' })
  const policy = 'services/chat/websocket-policies/all'
  await management.call('PUT', `${policy}/message-security`, {
    'enable-message-security': 'Yes',
  })
  await management.call('PUT', `${policy}/origin-protection`, {
    'allow-origins': ['https://chat.example.com/'],
  })
  await management.call('PUT', `${policy}/protocol-security`, { 'max-frame-size': 50_000 })
  await management.untilHealth('services/chat', 'Up')

  const socket = await opened('/chat/1')
  assert.equal(socket.extensions, '')
  const ordinary = [
    'hello',
    'it\'s me, pick a seat & "enjoy" <3',
    '{"text":"so what?"}',
    'ü'.repeat(2_000),
    'x'.repeat(9_000),
  ]
  for (const message of ordinary) assert.equal(await answerTo(socket, message), message)
  const refused: readonly (readonly [attack: RegExp, message: string | Buffer])[] = [
    [/^sql-injection-in-parameter$/, sql],
    [/^sql-injection-in-parameter$/, JSON.stringify({ text: sql })],
    [/^sql-injection-in-parameter$/, JSON.stringify(JSON.stringify({ text: sql }))],
    [/^sql-injection-in-parameter$/, Buffer.from(`{"text": "${sql}`)],
    [/^cross-site-scripting-in-parameter$/, '<script>alert(document.cookie)</script>'],
    [/^websocket-protocol-violation$/, 'a'.repeat(50_001)],
  ]
  let count = 0
  for (const [attack, message] of refused) {
    assert.equal(await answerTo(await opened('/chat/1'), message), 1008, String(message).slice(0, 80))
    const fits = (entry: Record<string, string>) =>
      entry['service-name'] === 'chat' && attack.test(entry.attack ?? '') && entry.action === 'DENY'
    const [entry] = await management.entries('web-firewall-logs', fits)
    assert.equal(entry?.url, '/chat/1')
    count++
  }
  assert.equal(count, refused.length)
  assert.equal(await answerTo(socket, 'still here'), 'still here')
  socket.close(1000)
  const [code] = await once(socket, 'close')
  assert.equal(code, 1000)

  assert.equal(await socketTo('/chat/1', 'https://evil.example'), 403)
  assert.ok((await socketTo('/chat/1', 'https://chat.example.com')) instanceof WebSocket)
  await management.call('PUT', `${policy}/message-security`, { 'enforce-json-check': 'Yes' })
  const told = /enforce-json-check of websocket-policies all checks nothing/
  await management.untilHealth('services/chat', 'Up', told)
  await management.call('POST', 'json-security-policies', {
    name: 'small',
    'max-key-length': 100,
    'max-keys': 3,
    'max-value-length': 5_000,
  })
  await management.call('POST', 'services/chat/json-profiles', {
    name: 'chat',
    'host-match': '*',
    method: ['POST'],
    'url-match': '/chat/*',
    'json-policy': 'small',
    mode: 'Active',
  })
  await management.untilHealth('services/chat', 'Up')
  assert.equal(await answerTo(await opened('/chat/1'), '{"a":1}'), '{"a":1}')
  assert.equal(await answerTo(await opened('/chat/1'), '{"a":1,"b":2,"c":3,"d":4}'), 1008)
  assert.equal(await answerTo(await opened('/chat/1'), 'no document'), 1008)
  for (const attack of ['json-key-count-exceeded', 'json-malformed']) {
    await management.entries('web-firewall-logs', (entry) => entry.attack === attack && entry.rule === 'chat')
  }
  // Elsewhere nobody looks, and compression is agreed on.
  const other = await opened('/else')
  assert.match(other.extensions, /permessage-deflate/)
  assert.equal(await answerTo(other, sql), sql)
})

test('a WebSocket needs a token where a profile says so, and a policy that is Passive only logs', async () => {
  await management.call('POST', 'jwt-validator-endpoints', { name: 'sockets', 'verify-public-keys': ['rsa'] })
  await management.call('POST', 'services/chat/jwt-url-profiles', {
    name: 'sockets',
    'host-match': '*',
    url: '/chat/private',
    'extended-match': '*',
    'validator-policy': 'sockets',
  })
  await management.call('PUT', 'services/chat/websocket-policies/all', { mode: 'Passive' })
  await management.untilHealth('services/chat', 'Up')
  assert.equal(await socketTo('/chat/private'), 403)
  const headers = { authorization: `Bearer ${await signed('RS256', rs.privateKey)}` }
  const socket = new WebSocket(`ws://127.0.0.1:${chatPort}/chat/private`, { headers })
  await once(socket, 'open')
  assert.equal(await answerTo(socket, sql), sql)
  const isLogged = (entry: Record<string, string>) => entry.url === '/chat/private' && entry.action === 'LOG'
  assert.ok(
    (await management.entries('web-firewall-logs', isLogged)).some(
      ({ attack }) => attack === 'sql-injection-in-parameter',
    ),
  )
})
