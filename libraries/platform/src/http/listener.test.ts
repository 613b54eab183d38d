import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { createLog } from '@palisade/log'
import type { FastifyInstance } from 'fastify'
import { createMetrics } from '../metrics.ts'
import type { ErrorEnvelope } from '../refusal.ts'
import { send } from '../testing/send.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { serverCertificate } from './certificate.ts'
import { Listener } from './listener.ts'
import { mountService } from './mount-service.ts'

const envelope: ErrorEnvelope = ({ code, message, field }) => ({
  contentType: 'application/demo+json',
  body: { code, message, field },
})

/** A service at /demo at open ports. */
async function serve(t: TestContext, routes: (scope: FastifyInstance) => void) {
  const listener = new Listener({ log: createLog('silent'), envelopeAt: () => envelope })
  const service = { name: 'demo', title: 'Demo', basePath: '/demo', envelope }
  await mountService(listener.app, { ...service, routes: async (scope) => routes(scope) }, createMetrics())
  const directory = temporaryDirectory(t)
  const certificate = await serverCertificate(directory, undefined, ['localhost', '127.0.0.1'])
  const ports = await listener.listen({ host: '127.0.0.1', http: 0, https: 0 }, certificate)
  t.after(() => listener.close(0))
  return { listener, ports, directory, url: `http://127.0.0.1:${ports.http}/demo` }
}

const echo = (scope: FastifyInstance) => {
  scope.post('/echo', async ({ body }) => ({ body }))
  scope.put('/echo', async ({ body }) => ({ body }))
  scope.get('/items/:id', async ({ params }) => params)
}

/** A route that says when a request has come, and answers it when it is told to. */
function slowRoute(answer: object) {
  const entered = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const routes = (scope: FastifyInstance) => {
    scope.get('/slow', async () => {
      entered.resolve()
      await finish.promise
      return answer
    })
  }
  return { entered, finish, routes }
}

/** What the server answers to bytes that no HTTP client would send. */
async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

test('refuses bytes that are not HTTP in the envelope, and closes', async (t) => {
  const { ports } = await serve(t, echo)
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET /demo HTTP/9.9\r\n\r\n',
    '\x16\x03\x01\x02\x00',
    '\x00\x00',
  ]) {
    const reply = await sendBytes(ports.http, bytes)
    assert.match(reply, /^HTTP\/1\.1 400 Bad Request\r\n/, JSON.stringify(bytes))
    assert.match(reply, /\r\nContent-Type: application\/demo\+json; charset=utf-8\r\n/)
    assert.match(reply, /\r\nConnection: close\r\n/)
    assert.match(reply, /\r\n\r\n\{"code":"bad-request","message":"The request is not valid HTTP\."\}$/)
  }
})

test('refuses two lengths for one body, by which requests are smuggled', async (t) => {
  const { ports } = await serve(t, echo)
  const head = 'POST /demo/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  for (const lengths of [
    'Content-Length: 2\r\nContent-Length: 3\r\n',
    'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
    'Content-Length: -1\r\n',
  ]) {
    assert.match(await sendBytes(ports.http, `${head}${lengths}\r\n{}`), /^HTTP\/1\.1 400 /, lengths)
  }
})

test('refuses a request that names no host, or hosts that could be told apart, in the envelope', async (t) => {
  const { ports } = await serve(t, echo)
  const cases: [target: string, hosts: string, message: RegExp][] = [
    ['/demo/items/7', 'Host: one\r\nHost: two\r\n', /more than one Host/],
    ['/demo/items/7', 'Host: one\r\nhost: one\r\n', /more than one Host/],
    ['http://three/demo/items/7', 'Host: one\r\nHost: two\r\n', /more than one Host/],
    ['/demo/items/7', '', /no Host header/],
    ['/demo/items/7', 'Host: one, two/\r\n', /is not a host/],
    ['/demo/items/7', 'Host: me@one\r\n', /is not a host/],
    ['/demo/items/7', 'Host: one two\r\n', /is not a host/],
    ['/demo/items/7', 'Host: one:80:81\r\n', /is not a host/],
    ['/demo/items/7', 'Host: h\u00f6st\r\n', /is not a host/],
    ['http://me@one/demo/items/7', 'Host: one\r\n', /neither a path nor an address/],
    ['http://:80/demo/items/7', 'Host: one\r\n', /neither a path nor an address/],
    ['ftp://one/demo/items/7', 'Host: one\r\n', /neither a path nor an address/],
  ]
  let ran = 0
  for (const [target, hosts, message] of cases) {
    for (const upgrade of ['', 'Connection: Upgrade\r\nUpgrade: websocket\r\n']) {
      const reply = await sendBytes(ports.http, `GET ${target} HTTP/1.1\r\n${hosts}${upgrade}\r\n`)
      assert.match(reply, /^HTTP\/1\.1 400 Bad Request\r\n/, `${target} ${hosts}`)
      assert.match(reply, /\r\ncontent-type: application\/demo\+json; charset=utf-8\r\n/)
      assert.match(reply, /\r\nconnection: close\r\n/i)
      assert.match(reply, message)
      ran++
    }
  }
  assert.equal(ran, 2 * cases.length)
})

test('takes the host of a target in absolute form, whatever Host says (RFC 9112, section 3.2.2)', async (t) => {
  const { ports } = await serve(t, (scope) => {
    scope.get('/host', async ({ host, url }) => ({ host, url }))
  })
  const cases: [target: string, host: string, expected: object][] = [
    ['/demo/host?a=1', 'one', { host: 'one', url: '/demo/host?a=1' }],
    ['/demo/host', 'one:8000', { host: 'one:8000', url: '/demo/host' }],
    ['/demo/host', '[::1]:8000', { host: '[::1]:8000', url: '/demo/host' }],
    ['http://two:81/demo/host?a=1', 'one', { host: 'two:81', url: '/demo/host?a=1' }],
    ['HTTPS://[::1]/demo/host', 'one', { host: '[::1]', url: '/demo/host' }],
    ['http://two/demo/host', '', { host: 'two', url: '/demo/host' }],
  ]
  for (const [target, host, expected] of cases) {
    const reply = await sendBytes(
      ports.http,
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    )
    assert.match(reply, /^HTTP\/1\.1 200 /, target)
    assert.deepEqual(JSON.parse(reply.split('\r\n\r\n')[1] ?? ''), expected, target)
  }
  const root = await sendBytes(
    ports.http,
    'GET http://two?a=1 HTTP/1.1\r\nHost: one\r\nConnection: close\r\n\r\n',
  )
  assert.match(root, /^HTTP\/1\.1 404 /)
})

test('refuses headers that are too long with 431', async (t) => {
  const { url, ports } = await serve(t, echo)
  const { status, json } = await send(`${url}/items/1`, { headers: { 'x-long': 'x'.repeat(20_000) } })
  assert.equal(status, 431)
  assert.equal(json.code, 'headers-too-large')
  const longLine = await sendBytes(ports.http, `GET /demo/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  assert.match(longLine, /^HTTP\/1\.1 431 /)
})

test('refuses bodies that are not what they say, each with its reason', async (t) => {
  const { url } = await serve(t, echo)
  const json = { 'content-type': 'application/json' }
  const cases: [
    what: string,
    headers: Record<string, string>,
    body: string | Uint8Array,
    status: number,
    code: string,
  ][] = [
    ['bytes that are not UTF-8', json, Buffer.from([0x22, 0xc3, 0x28, 0x22]), 400, 'malformed-json'],
    [
      'half a surrogate pair as UTF-8',
      json,
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      400,
      'malformed-json',
    ],
    ['UTF-16', json, Buffer.from('{}', 'utf16le'), 400, 'malformed-json'],
    ['an open brace', json, '{', 400, 'malformed-json'],
    ['a trailing comma', json, '{"a":1,}', 400, 'malformed-json'],
    ['a comment', json, '{} // end', 400, 'malformed-json'],
    ['single quotes', json, "{'a':1}", 400, 'malformed-json'],
    ['NaN', json, 'NaN', 400, 'malformed-json'],
    ['two documents', json, '{}{}', 400, 'malformed-json'],
    ['blanks alone', json, '  ', 400, 'malformed-json'],
    ['__proto__', json, '{"__proto__":{"admin":true}}', 400, 'malformed-json'],
    ['__proto__ further down', json, '{"a":[{"__proto__":1}]}', 400, 'malformed-json'],
    ['__proto__ in escapes', json, '{"\\u005f_proto__":1}', 400, 'malformed-json'],
    ['constructor.prototype', json, '{"constructor":{"prototype":{}}}', 400, 'malformed-json'],
    ['a member that comes again', json, '{"a":1,"b":2,"a":1}', 400, 'bad-request'],
    ['one that comes again in escapes', json, '[{"b":{"a":1,"\\u0061":2}}]', 400, 'bad-request'],
    ['constructor twice', json, '{"constructor":{"prototype":{}},"constructor":1}', 400, 'bad-request'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 415, 'unsupported-media-type'],
    ['plain text', { 'content-type': 'text/plain' }, '{}', 415, 'unsupported-media-type'],
    ['something like JSON', { 'content-type': 'application/jsonx' }, '{}', 415, 'unsupported-media-type'],
    ['a broken content type', { 'content-type': '/' }, '{}', 415, 'unsupported-media-type'],
    ['no content type', {}, '{}', 415, 'unsupported-media-type'],
  ]
  let ran = 0
  for (const [what, headers, body, status, code] of cases) {
    const reply = await send(`${url}/echo`, { method: 'POST', headers, body })
    assert.equal(reply.status, status, what)
    assert.equal(reply.json.code, code, what)
    assert.equal(reply.headers['content-type'], 'application/demo+json; charset=utf-8', what)
    ran++
  }
  assert.equal(ran, cases.length)
})

test('refuses a body of ten megabytes, announced or not, and the caller hears of it', async (t) => {
  const { url } = await serve(t, echo)
  const body = JSON.stringify('x'.repeat(10_000_000))
  const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  for (const headers of [{ 'content-type': 'application/json' }, chunked]) {
    for (let round = 0; round < 5; round++) {
      const { status, json } = await send(`${url}/echo`, { method: 'POST', headers, body })
      assert.equal(status, 413)
      assert.equal(json.code, 'too-large')
    }
  }
})

test('closes the connection after the answer where the caller reads to its end', async (t) => {
  const { ports } = await serve(t, echo)
  const json = 'Content-Type: application/json\r\n'
  const long = 'x'.repeat(2_000_000)
  for (const request of [
    'GET /demo/items/7 HTTP/1.0\r\n\r\n',
    'GET /demo/nothing HTTP/1.0\r\n\r\n',
    `POST /demo/echo HTTP/1.0\r\n${json}Content-Length: 1\r\n\r\n{`,
    `POST /demo/echo HTTP/1.0\r\n${json}Content-Length: ${long.length}\r\n\r\n${long}`,
    `POST /demo/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${long.length}\r\n\r\n${long}`,
  ]) {
    assert.match(await sendBytes(ports.http, request), /^HTTP\/1\.1 \d{3} .*\}$/s, request.slice(0, 80))
  }
})

test('takes every JSON value, and none', async (t) => {
  const { url } = await serve(t, echo)
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  for (const value of [null, true, 0, -1.5e300, '', 'ü🙂\u0000', [], {}, { prototype: 1, constructor: 2 }]) {
    const { status, json } = await send(`${url}/echo`, {
      method: 'POST',
      headers,
      body: JSON.stringify(value),
    })
    assert.equal(status, 200)
    assert.deepEqual(json.body, value)
  }
  assert.deepEqual((await send(`${url}/echo`, { method: 'POST' })).json, {})
  assert.deepEqual((await send(`${url}/echo`, { method: 'POST', headers })).json, {})
})

test('answers unknown addresses with 404, and known ones with 405 and what they answer to', async (t) => {
  const { url } = await serve(t, echo)
  for (const path of ['', '/', '/nothing', '/echo/more', '/items', '/items/1/2', '/ECHO', '/%00', '/..%2f']) {
    const { status, json } = await send(`${url}${path}`)
    assert.deepEqual([status, json.code], [404, 'not-found'], path)
  }
  const cases: [method: string, path: string, allow: string][] = [
    ['GET', '/echo', 'POST, PUT'],
    ['DELETE', '/echo?x=1', 'POST, PUT'],
    ['PATCH', '/echo/', 'POST, PUT'],
    ['POST', '/items/7', 'GET'],
    ['HEAD', '/items/7', 'GET'],
    ['OPTIONS', '/items/7', 'GET'],
    ['PROPFIND', '/items/7', 'GET'],
  ]
  for (const [method, path, allow] of cases) {
    const { status, headers } = await send(`${url}${path}`, { method })
    assert.deepEqual([status, headers.allow], [405, allow], `${method} ${path}`)
  }
})

test('refuses addresses that cannot be decoded', async (t) => {
  const { url } = await serve(t, echo)
  for (const path of ['/items/%', '/items/%zz', '/items/%ff']) {
    const { status, json } = await send(`${url}${path}`)
    assert.deepEqual([status, json.code], [400, 'bad-request'], path)
  }
  const { status, json } = await send(`${url}/items/${'x'.repeat(3000)}`)
  assert.deepEqual([status, json.code], [404, 'not-found'])
})

test('says nothing of an unexpected error to the caller', async (t) => {
  const { url } = await serve(t, (scope) => {
    scope.get('/fails', async () => {
      throw new Error('the password of the database is s3cret')
    })
    scope.get('/throws-text', async () => {
      throw 's3cret'
    })
  })
  for (const path of ['/fails', '/throws-text']) {
    const { status, json } = await send(`${url}${path}`)
    assert.equal(status, 500)
    assert.deepEqual(json, { code: 'internal', message: 'An internal error occurred. It has been logged.' })
  }
})

test('presents the kept certificate over HTTPS, and again after a restart', async (t) => {
  const { listener, ports, directory } = await serve(t, echo)
  const { cert } = await serverCertificate(directory, undefined, ['localhost'])
  const get = async (port: number) => {
    const request = https.get({ port, path: '/demo/items/7', host: '127.0.0.1', ca: cert, agent: false })
    const [response]: http.IncomingMessage[] = await once(request, 'response')
    assert.ok(response)
    return text(response)
  }
  assert.equal(await get(ports.https), '{"id":"7"}')
  await listener.close(0)

  const again = new Listener({ log: createLog('silent'), envelopeAt: () => envelope })
  again.app.get('/demo/items/:id', async ({ params }) => params)
  const certificate = await serverCertificate(directory, undefined, ['localhost', '127.0.0.1'])
  const { https: port } = await again.listen({ host: '127.0.0.1', http: 0, https: 0 }, certificate)
  t.after(() => again.close(0))
  assert.equal(await get(port), '{"id":"7"}')
})

test('refuses TLS before 1.2', async (t) => {
  const { ports } = await serve(t, echo)
  const request = https.get({
    port: ports.https,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    agent: false,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  const [error] = await once(request, 'error')
  assert.match(String(error.message), /alert protocol version|unsupported protocol/i)
})

test('names the address that cannot be opened', async (t) => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  t.after(() => blocker.close())
  const address = blocker.address()
  assert.ok(address !== null && typeof address !== 'string')
  const listener = new Listener({ log: createLog('silent'), envelopeAt: () => envelope })
  t.after(() => listener.close(0))
  const certificate = await serverCertificate(temporaryDirectory(t), undefined, ['localhost'])
  await assert.rejects(listener.listen({ host: '127.0.0.1', http: 0, https: address.port }, certificate), {
    message: `listen.https names 127.0.0.1, port ${address.port}, which cannot be opened: another program listens there already`,
  })
})

test('lets a running request finish when closed, and takes no new one', async (t) => {
  const { entered, finish, routes } = slowRoute({ done: true })
  const { listener, url, ports } = await serve(t, routes)
  const running = send(`${url}/slow`)
  await entered.promise
  const closed = listener.close(60_000)
  const refused = connect(ports.http, '127.0.0.1')
  const [error] = await once(refused, 'error')
  assert.equal(error.code, 'ECONNREFUSED')
  finish.resolve()
  assert.deepEqual((await running).json, { done: true })
  await closed
})

test('has another application answer at the same ports, and the former one end what it has begun', async (t) => {
  const { entered, finish, routes } = slowRoute({ of: 'the former' })
  const { listener, url, ports } = await serve(t, routes)
  const running = send(`${url}/slow`)
  await entered.promise
  await listener.replaceApp(async (app) => {
    app.get('/demo/slow', async () => ({ of: 'the next' }))
  })
  assert.deepEqual((await send(`${url}/slow`)).json, { of: 'the next' })
  finish.resolve()
  assert.deepEqual((await running).json, { of: 'the former' })
  const refused = await send(`http://127.0.0.1:${ports.http}/elsewhere`)
  assert.equal(refused.status, 404)
})

test('closes at once beside connections that idle, and cuts those that never end', async (t) => {
  const entered = Promise.withResolvers<void>()
  const { listener, url, ports } = await serve(t, (scope) => {
    scope.get('/quick', async () => ({}))
    scope.get('/never', async () => {
      entered.resolve()
      await new Promise(() => undefined)
    })
  })
  const agent = new http.Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const [response]: http.IncomingMessage[] = await once(http.get(`${url}/quick`, { agent }), 'response')
  response?.resume()
  const silent = connect(ports.http, '127.0.0.1')
  await once(silent, 'connect')
  const never = assert.rejects(send(`${url}/never`), { code: 'ECONNRESET' })
  await entered.promise
  await listener.close(50)
  await never
  silent.destroy()
})

test('hands WebSockets to whoever waits for them, and ends them when closed', async (t) => {
  const { listener, ports } = await serve(t, echo)
  listener.app.server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  })
  const headers = { connection: 'Upgrade', upgrade: 'WebSocket' }
  const request = http.get({ port: ports.http, host: '127.0.0.1', path: '/demo/link', headers, agent: false })
  const [, socket] = await once(request, 'upgrade')
  const ended = once(socket, 'close')
  socket.resume()
  await listener.close(50)
  await ended
})

test('answers clients that offer another protocol as if they had not', async (t) => {
  const { url } = await serve(t, echo)
  for (const upgrade of ['h2c', 'websocket', 'TLS/1.0, HTTP/1.1']) {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade, 'http2-settings': 'AAMAAABkAAQAAP__' }
    const { status, json } = await send(`${url}/items/7`, { headers })
    assert.deepEqual([status, json], [200, { id: '7' }], upgrade)
  }
})
