import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { ask } from '../testing/ask.ts'
import { carried, exchangeBytes, serverAt } from '../testing/carried.ts'
import { openedTls, serverTls } from '../testing/servers.ts'
import { Http2Connections } from './http2-connections.ts'

/** Connections to a server that speaks HTTP/2. */
async function connected(t: TestContext, application: RequestListener): Promise<Http2Connections> {
  const server = serverAt(await openedTls(t, application), { tls: serverTls, offersHttp2: true })
  const connections = new Http2Connections(server)
  t.after(() => connections.close())
  return connections
}

test('an answer over HTTP/2 comes with its headers and trailers', async (t) => {
  const connections = await connected(t, ({ httpVersion }, response) => {
    response.writeHead(200, { 'content-type': 'text/css', 'set-cookie': ['a=1', 'b=2'], date: 'today' })
    response.addTrailers({ 'x-sum': '16' })
    response.end(httpVersion)
  })
  const { status, headers, body, trailers } = await ask(connections)
  assert.deepEqual([status, body, trailers], [200, '2.0', ['x-sum', '16']])
  const expected = ['content-type', 'text/css', 'set-cookie', 'a=1', 'set-cookie', 'b=2', 'date', 'today']
  assert.deepEqual(headers, expected)
})

test('cookies from several lines are cookies over HTTP/2 as well', async (t) => {
  const connections = await connected(t, (request, response) => response.end(request.headers.cookie))
  const headers = ['Host', 'shop', 'Cookie', 'a=1', 'Accept', '*/*', 'cookie', 'b=2']
  assert.equal((await ask(connections, { headers })).body, 'a=1; b=2')
})

test('a WebSocket is asked for over HTTP/1.1, and so is what has a body', async (t) => {
  const connections = await connected(t, ({ httpVersion, headers }, response) =>
    response.end(`${httpVersion} ${headers.upgrade}`),
  )
  assert.equal((await ask(connections)).body, '2.0 undefined')
  assert.equal((await ask(connections, { asksForWebSocket: true })).body, '1.1 websocket')
  const upload = { method: 'POST', body: Buffer.from('body') }
  assert.equal((await ask(connections, upload)).body, '1.1 undefined')
})

test('a server gets nothing over HTTP/2 of what a client says of its connection', async (t) => {
  const port = await openedTls(t, ({ httpVersion, headers }, response) =>
    response.end([httpVersion, ...Object.keys(headers).toSorted()].join(' ')),
  )
  const { port: proxyPort } = await carried(t, {
    application: (_, response) => response.end(),
    service: { servers: [serverAt(port, { tls: serverTls, offersHttp2: true })] },
  })
  const hopByHop =
    'HTTP2-Settings: a\r\nTE: gzip\r\nProxy-Connection: keep-alive\r\nKeep-Alive: timeout=1\r\n'
  const answer = await exchangeBytes(
    proxyPort,
    `GET / HTTP/1.1\r\nHost: shop\r\n${hopByHop}Connection: close\r\n\r\n`,
  )
  assert.match(
    answer,
    /\r\n2\.0 :authority :method :path :scheme x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip x-request-id\r\n/,
  )
})
