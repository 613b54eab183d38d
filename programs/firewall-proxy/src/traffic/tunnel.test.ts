import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { SnapshotService } from '@palisade/proxy-protocol'
import { carried, exchangeBytes, serverAt } from '../testing/carried.ts'
import { http2Tls } from '../testing/http2-tls.ts'
import { noRules } from '../testing/no-rules.ts'
import { listenOnLoopback } from '../testing/servers.ts'
import { switchingProtocols, webSocketRequest } from '../testing/web-socket.ts'

/** What a client gets of a WebSocket whose server sets a cookie and says something. */
async function opened(t: TestContext, service: Partial<SnapshotService>) {
  const { port } = await carried(t, {
    application: (request) => {
      const more = { Server: 'own/1', 'Set-Cookie': 'sid=abc' }
      request.socket.write(`${switchingProtocols(request, more)}hello`)
    },
    rules: noRules(),
    service: { allowsWebSockets: true, ...service },
  })
  return exchangeBytes(port, webSocketRequest)
}

async function connected(t: TestContext, port: number): Promise<Socket> {
  const client = connect(port, '127.0.0.1')
  t.after(() => client.destroy())
  await once(client, 'connect')
  return client
}

test('a WebSocket gets the headers of its server, and what that says', async (t) => {
  const answer = await opened(t, {})
  assert.match(
    answer,
    /^HTTP\/1\.1 101 .*\r\nSec-WebSocket-Accept: ICX\+Yqv66kxgM0FcWaLWlFLwTAI=\r\n.*Set-Cookie: sid=abc\r\n\r\nhello$/s,
  )
})

test('what a client says behind its request for a WebSocket reaches the server, in the same piece or not, over TLS or not', async (t) => {
  for (const tls of [undefined, http2Tls()]) {
    let transcript = ''
    const { port } = await carried(t, {
      application: (request) => {
        request.socket.on('data', (bytes) => {
          transcript += bytes.toString('latin1')
        })
        request.socket.write(switchingProtocols(request))
      },
      rules: noRules(),
      service: { allowsWebSockets: true, ...(tls ? { tls } : {}) },
    })
    const early = 'GET /no-request HTTP/1.1\r\n\r\n'
    const client = tls
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
      : connect(port, '127.0.0.1')
    client.write(`${webSocketRequest}${early}`, 'latin1')
    await once(client, 'data')
    client.write('later')
    while (transcript.length < `${early}later`.length) await pause(1)
    assert.equal(transcript, `${early}later`)
    client.destroy()
  }
})

test('nothing that is said over a WebSocket is read as a request, of this client or of another one', async (t) => {
  // Not a server of Node, which would take a parser of the same process.
  const application = createTcpServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        const [, key] = /\r\nsec-websocket-key: (\S+)/i.exec(bytes.toString('latin1')) ?? []
        if (key === undefined) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nown')
        else socket.write(switchingProtocols({ headers: { 'sec-websocket-key': key } }))
      })
  })
  const { port, exchanges } = await carried(t, {
    application: () => undefined,
    rules: noRules(),
    service: { allowsWebSockets: true, servers: [serverAt(await listenOnLoopback(t, application))] },
  })
  const webSocket = await connected(t, port)
  webSocket.write(webSocketRequest)
  await once(webSocket, 'data')
  // Node gives each connection the parser that was free for the shortest time.
  const others = [await connected(t, port), await connected(t, port), await connected(t, port)]
  const answers = others.map((other) => {
    const answer = { text: '' }
    other.on('data', (bytes) => {
      answer.text += bytes.toString('latin1')
    })
    return answer
  })
  webSocket.write('GET /said HTTP/1.1\r\nHost: a\r\n\r\nGET /said-later HTTP/1.1\r\nX: ')
  await pause(300)
  for (const other of others) other.write('GET /own HTTP/1.1\r\nHost: a\r\n\r\n')
  while (!answers.every(({ text }) => text !== '')) await pause(10)
  for (const { text } of answers) assert.match(text, /^HTTP\/1\.1 200 OK\r\n.*own$/s)
  assert.deepEqual(
    exchanges.map(({ target }) => target),
    ['/own', '/own', '/own'],
  )
  for (const client of [webSocket, ...others]) client.destroy()
})

test('cookies that are set while a WebSocket opens are sealed as all others', async (t) => {
  const answer = await opened(t, {
    cookieSecurity: {
      keys: [{ id: 0, secret: Buffer.alloc(32, 7).toString('base64url') }],
      does: 'encrypt',
      exempted: [],
      ageMaxSeconds: 0,
      bindsToAddress: false,
      bindsToHeaders: [],
      adds: { httpOnly: true, secure: false },
    },
  })
  assert.match(answer, /\r\nSet-Cookie: sid=~ps~[\w-]+; HttpOnly\r\n.*hello$/s)
})

test('who asks for a WebSocket behind a request that is not answered yet gets an ordinary answer', async (t) => {
  const protocols: (string | undefined)[] = []
  const { port } = await carried(t, {
    application: (incoming, response) => {
      protocols.push(incoming.headers.upgrade)
      setTimeout(() => response.end(`answer to ${incoming.url}`), 20)
    },
    rules: noRules(),
    service: { allowsWebSockets: true },
  })
  const answers = await exchangeBytes(port, `GET /1 HTTP/1.1\r\nHost: a\r\n\r\n${webSocketRequest}`, 500)
  assert.deepEqual(answers.match(/answer to \/(?:1|chat)/g), ['answer to /1', 'answer to /chat'])
  assert.deepEqual(protocols, [undefined, undefined])
})

test('who asks for a WebSocket behind a request that the parser answers is not served', async (t) => {
  const { port } = await carried(t, {
    application: (_, response) => response.end('reached'),
    rules: noRules(),
    service: { allowsWebSockets: true },
  })
  const expecting = 'GET / HTTP/1.1\r\nHost: a\r\nExpect: something\r\n\r\n'
  assert.doesNotMatch(await exchangeBytes(port, `${expecting}${webSocketRequest}`), /HTTP\/1\.1 101|reached/)
  assert.match(await exchangeBytes(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'), /reached/)
})

test('a request for a WebSocket with a body is judged with that, and opens none', async (t) => {
  const bodies: string[] = []
  const { port } = await carried(t, {
    application: async (incoming, response) => {
      assert.equal(incoming.headers.upgrade, undefined)
      bodies.push(Buffer.concat(await incoming.toArray()).toString())
      response.end('ordinary')
    },
    rules: noRules(),
    service: { allowsWebSockets: true },
  })
  const framed = [
    webSocketRequest.replace('\r\n\r\n', '\r\nContent-Length: 3\r\n\r\nabc'),
    webSocketRequest.replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'),
  ]
  for (const bytes of framed) assert.match(await exchangeBytes(port, bytes), /ordinary$/m)
  assert.deepEqual(bodies, ['abc', 'abc'])
})

test('a WebSocket is not opened for who names no host', async (t) => {
  const { port } = await carried(t, {
    application: (_, response) => response.end('reached'),
    rules: noRules(),
    service: { allowsWebSockets: true },
  })
  assert.match(await exchangeBytes(port, webSocketRequest.replace('Host: a\r\n', '')), /^HTTP\/1\.1 400 /)
})

test('who asks for a WebSocket gets all of an ordinary answer, however long, and the connection ends with it', async (t) => {
  const { port } = await carried(t, {
    application: (_, response) => response.end(Buffer.alloc(4 * 1024 * 1024, 'x')),
    rules: noRules(),
    service: { allowsWebSockets: true },
  })
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  t.after(() => client.destroy())
  client.write(webSocketRequest)
  let bytes = 0
  client.on('data', (chunk) => {
    bytes += chunk.length
  })
  await once(client, 'end')
  assert.ok(bytes > 4 * 1024 * 1024, `${bytes} bytes`)
})
