import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type IncomingHttpHeaders } from 'node:http2'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { carried } from '../testing/carried.ts'
import { http2Tls } from '../testing/http2-tls.ts'

/** What a client of HTTP/2 gets of what a server says over HTTP/1.1. */
async function relayed(t: TestContext, relay: string) {
  const { port } = await carried(t, {
    application: ({ socket }) => {
      socket.write(relay)
    },
    service: { tls: http2Tls() },
  })
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  t.after(() => session.destroy())
  const stream = session.request({ ':path': '/' })
  let body = ''
  let trailers: IncomingHttpHeaders = {}
  stream.setEncoding('latin1')
  stream.on('data', (text) => {
    body += text
  })
  stream.on('trailers', (headers) => {
    trailers = headers
  })
  const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  if (!stream.closed) await once(stream, 'close')
  return { head, body, trailers }
}

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n'

test('trailers of one connection and those that belong to heads stay behind', async (t) => {
  const headerLines = ['HTTP2-Settings: a', 'TE: gzip', 'Set-Cookie: a=b', 'Content-Length: 9', 'X-Sum: 16']
  const { body, trailers } = await relayed(t, `${chunked}${headerLines.join('\r\n')}\r\n\r\n`)
  assert.equal(body, 'ok')
  assert.deepEqual(Object.entries(trailers), [['x-sum', '16']])
})

test('what a server says twice ends neither the request nor the worker', async (t) => {
  const { body, trailers } = await relayed(t, `${chunked}ETag: "a"\r\nETag: "b"\r\n\r\n`)
  assert.equal(body, 'ok')
  assert.equal(trailers.etag, '"a"')
  const head =
    'HTTP/1.1 200 OK\r\nX-Content-Type-Options: nosniff\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 2\r\n\r\nok'
  assert.equal((await relayed(t, head)).body, 'ok')
})

test('a header may be called like what every object has', async (t) => {
  const { head } = await relayed(t, 'HTTP/1.1 200 OK\r\nConstructor: a\r\nContent-Length: 2\r\n\r\nok')
  assert.equal(Object.getOwnPropertyDescriptor(head, 'constructor')?.value, 'a')
})

test('a head with what HTTP/2 does not know of connections is passed on without it', async (t) => {
  const { head, body } = await relayed(
    t,
    'HTTP/1.1 200 OK\r\nHTTP2-Settings: a\r\nContent-Length: 2\r\n\r\nok',
  )
  assert.equal(head[':status'], 200)
  assert.equal(head['http2-settings'], undefined)
  assert.equal(body, 'ok')
})

test('an answer that has no body has no length either, whatever its server says', async (t) => {
  for (const status of [204, 205]) {
    const { head, body } = await relayed(t, `HTTP/1.1 ${status} So\r\nContent-Length: 5\r\n\r\nhello`)
    assert.equal(head[':status'], status)
    assert.equal(head['content-length'], undefined)
    assert.equal(body, '')
  }
})

test('who asks for a way through, or expects what nobody knows, is refused, and that is told about', async (t) => {
  const { port, exchanges } = await carried(t, {
    application: () => assert.fail('reached'),
    service: { tls: http2Tls() },
  })
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  t.after(() => session.destroy())
  for (const [headers, status] of [
    [{ ':method': 'CONNECT', ':authority': 'a.example:443' }, 400],
    [{ ':path': '/', expect: '200-ok' }, 417],
  ] as const) {
    const stream = session.request(headers)
    const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders]
    assert.equal(head[':status'], status)
    stream.resume()
    if (!stream.closed) await once(stream, 'close')
  }
  while (exchanges.length < 2) await pause(5)
  for (const { violations } of exchanges) {
    assert.deepEqual(
      violations.map(({ attack }) => attack),
      ['invalid-or-malformed-http-request'],
    )
  }
})

test('a client that goes away ends its request at the server, also while nothing more can be sent to it', async (t) => {
  const atServer = Promise.withResolvers<ServerResponse>()
  const { port, exchanges } = await carried(t, {
    application: (_, response) => {
      // More than a client that takes nothing lets come.
      response.write(Buffer.alloc(1024 * 1024))
      atServer.resolve(response)
    },
    service: { tls: http2Tls() },
  })
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  session.on('error', () => undefined)
  const stream = session.request({ ':path': '/' })
  stream.on('error', () => undefined)
  await once(stream, 'response')
  const response = await atServer.promise
  session.destroy()
  await once(response, 'close')
  while (exchanges.length === 0) await pause(10)
})
