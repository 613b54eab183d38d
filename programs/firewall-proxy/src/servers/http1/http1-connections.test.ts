import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { systemCode } from '@palisade/private-files'
import type { SnapshotServer } from '@palisade/proxy-protocol'
import { ask } from '../../testing/ask.ts'
import { serverAt } from '../../testing/carried.ts'
import type { AnswerControl } from '../server-connections.ts'
import { Http1Connections } from './http1-connections.ts'

/** A server that answers each piece that comes as the test says, and connections to it. */
async function connected(
  t: TestContext,
  answer: (socket: Socket, text: string, connection: number) => void,
  settings: Partial<SnapshotServer> = {},
) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    const number = sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => answer(socket, bytes.toString('latin1'), number))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connections = new Http1Connections(serverAt((server.address() as AddressInfo).port, settings))
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await connections.close()
  })
  return { connections, sockets }
}

async function closed(socket: Socket | undefined): Promise<void> {
  assert.ok(socket)
  if (!socket.closed) await once(socket, 'close')
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

test('one connection carries one request after the other', async (t) => {
  const { connections, sockets } = await connected(t, (socket) => socket.write(ok))
  for (let number = 0; number < 5; number++) {
    assert.equal((await ask(connections)).body, 'ok')
    await pause(1)
  }
  assert.equal(sockets.length, 1)
  assert.equal(connections.underWay, 0)
})

test('a connection that was logged in for nobody who could come back carries no other request', async (t) => {
  const { connections, sockets } = await connected(t, (socket) => socket.write(ok))
  assert.equal(
    (await ask(connections, { headers: ['Host', 'shop', 'authorization', ' NTLM abc'] })).body,
    'ok',
  )
  await closed(sockets[0])
  assert.equal(
    (await ask(connections, { headers: ['Host', 'shop', 'authorization', 'Basic abc'] })).body,
    'ok',
  )
  await pause(1)
  assert.equal((await ask(connections)).body, 'ok')
  assert.equal(sockets.length, 2)
})

test('a request is written as it is, with the length of its body', async (t) => {
  const requests: string[] = []
  const { connections } = await connected(t, (socket, text) => {
    requests.push(text)
    if (text.endsWith('end')) socket.write(ok)
  })
  await ask(connections, {
    method: 'POST',
    path: '/a?b=%20',
    headers: ['hOST', 'shop:81', 'X-Twice', '1', 'x-twice', '\xe4', 'Content-Length', '99'],
    body: Buffer.from('the-end'),
  })
  assert.deepEqual(requests, [
    'POST /a?b=%20 HTTP/1.1\r\nhOST: shop:81\r\nX-Twice: 1\r\nx-twice: \xe4\r\nContent-Length: 7\r\nConnection: keep-alive\r\n\r\nthe-end',
  ])
})

test('a stream goes in chunks where nobody knows its length, and as it is where somebody does', async (t) => {
  let request = ''
  const { connections } = await connected(t, (socket, text) => {
    request += text
    if (request.endsWith('0\r\n\r\n') || request.endsWith('three')) socket.write(ok)
  })
  const body = () => Readable.from([Buffer.from('one'), Buffer.from('twothree')])
  await ask(connections, { method: 'PUT', body: body() })
  assert.match(
    request,
    /Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n3\r\none\r\n8\r\ntwothree\r\n0\r\n\r\n$/,
  )
  request = ''
  await ask(connections, { method: 'PUT', headers: ['Content-Length', '11'], body: body() })
  assert.match(
    request,
    /^PUT \/ HTTP\/1.1\r\nHost: 127.0.0.1:\d+\r\nContent-Length: 11\r\nConnection: keep-alive\r\n\r\nonetwothree$/,
  )
})

test('a stream that is not as long as was said is a failure', async (t) => {
  const { connections } = await connected(t, () => undefined)
  for (const length of ['5', '2']) {
    const body = Readable.from([Buffer.from('one')])
    const { failure } = await ask(connections, { method: 'PUT', headers: ['Content-Length', length], body })
    assert.equal(systemCode(failure), 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')
  }
})

test('what would be read as more than one request is not sent', async (t) => {
  const { connections, sockets } = await connected(t, (socket) => socket.write(ok))
  for (const settings of [
    { path: '/a b' },
    { path: '/a\r\nX: y' },
    { method: 'GET /' },
    { headers: ['X', 'a\r\nY: b'] },
    { headers: ['X', 'a\nb'] },
    { headers: ['X: a\r\nY', 'b'] },
  ]) {
    assert.throws(
      () =>
        connections.dispatch(
          { method: 'GET', path: '/', headers: [], body: undefined, asksForWebSocket: false, ...settings },
          {} as never,
        ),
      { code: 'UND_ERR_INVALID_ARG' },
    )
  }
  assert.equal(connections.underWay, 0)
  assert.equal(sockets.length, 0)
})

test('no more connections are opened than there may be, and who waits gets the next', async (t) => {
  const { connections, sockets } = await connected(t, (socket) => setTimeout(() => socket.write(ok), 5), {
    connectionsMax: 2,
  })
  const outcomes = await Promise.all(Array.from({ length: 9 }, () => ask(connections)))
  assert.deepEqual(
    outcomes.map(({ body }) => body),
    Array(9).fill('ok'),
  )
  assert.equal(sockets.length, 2)
})

test('a connection carries as many requests as it may', async (t) => {
  const { connections, sockets } = await connected(t, (socket) => socket.write(ok), {
    requestsPerConnectionMax: 2,
  })
  for (let number = 0; number < 4; number++) {
    assert.equal((await ask(connections)).body, 'ok')
    await pause(1)
  }
  assert.equal(sockets.length, 2)
})

test('without keeping connections each request has its own, and says so', async (t) => {
  const requests: string[] = []
  const { connections, sockets } = await connected(
    t,
    (socket, text) => {
      requests.push(text)
      socket.write(ok)
    },
    { keepAliveMs: 0 },
  )
  for (let number = 0; number < 2; number++) await ask(connections)
  assert.equal(sockets.length, 2)
  assert.match(requests[0] ?? '', /\r\nConnection: close\r\n/)
})

test('a connection that nobody uses is closed in time', async (t) => {
  const { connections, sockets } = await connected(t, (socket) => socket.write(ok), { keepAliveMs: 300 })
  await ask(connections)
  await closed(sockets[0])
})

test('a connection is not used again after its time, however long this process was busy meanwhile', async (t) => {
  const { connections, sockets } = await connected(t, (socket) => socket.write(ok), { keepAliveMs: 2_000 })
  await ask(connections)
  // As soon as it is free.
  await new Promise(setImmediate)
  const until = performance.now() + 2_100
  while (performance.now() < until);
  await ask(connections)
  assert.equal(sockets.length, 2)
})

test("what comes unasked ends the connection and is nobody's answer", async (t) => {
  const { connections, sockets } = await connected(t, (socket, _, number) =>
    socket.write(number === 1 ? `${ok}HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad` : ok),
  )
  assert.equal((await ask(connections)).body, 'ok')
  assert.equal((await ask(connections)).body, 'ok')
  assert.equal(sockets.length, 2)
  sockets[1]?.write(ok)
  await closed(sockets[1])
  assert.equal((await ask(connections)).body, 'ok')
  assert.equal(sockets.length, 3)
})

test('a server that ends its connection after an answer without having said so gets no request over it', async (t) => {
  const { connections, sockets } = await connected(t, (socket) => socket.end(ok))
  for (let number = 0; number < 5; number++) {
    assert.equal((await ask(connections, { method: 'POST' })).failure, undefined)
    await closed(sockets[number])
  }
  assert.equal(sockets.length, 5)
})

test('a server that answers before it has read the request is believed, and the connection is not used again', async (t) => {
  const { connections, sockets } = await connected(t, (socket, text, number) => {
    if (number === 1 && text.startsWith('PUT'))
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')
    else if (number === 2) socket.write(ok)
  })
  const endless = new Readable({
    read() {
      setTimeout(() => this.push('x'.repeat(1000)), 1)
    },
  })
  assert.equal((await ask(connections, { method: 'PUT', body: endless })).status, 413)
  assert.ok(endless.destroyed)
  assert.equal((await ask(connections)).body, 'ok')
  assert.equal(sockets.length, 2)
})

test('nor is it after an answer to a body that is known as a whole and was not taken', async (t) => {
  const { connections, sockets } = await connected(t, (socket, _, number) => {
    socket.pause()
    socket.write(number === 1 ? 'HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n' : ok)
  })
  const body = Buffer.alloc(32 * 1024 * 1024)
  assert.equal((await ask(connections, { method: 'PUT', body })).status, 413)
  assert.equal((await ask(connections)).body, 'ok')
  assert.equal(sockets.length, 2)
})

test('a connection is not used again where a server that does not read bodies would take one for the next request', async (t) => {
  const seen: string[] = []
  const { connections, sockets } = await connected(t, (socket, text) => {
    seen.push(text)
    socket.write(ok)
  })
  const smuggled = 'GET /admin HTTP/1.1\r\nHost: shop\r\n\r\n'
  const texts = [smuggled, `\r\n ${smuggled}`, 'purge\t/a\n', 'GET  /admin\r\n', '\r\n'.repeat(60) + smuggled]
  for (const body of texts) {
    await ask(connections, { method: 'DELETE', body: Buffer.from(body) })
    await pause(1)
  }
  assert.equal(sockets.length, texts.length)
  assert.match(seen[0] ?? '', /\r\nConnection: close\r\n/)
  for (const body of ['a=b&c=d e', '{"a": 1}', '--x\r\nA: b', '<a b="c"/>', '']) {
    await ask(connections, { method: 'POST', body: Buffer.from(body) })
    await pause(1)
  }
  assert.equal(sockets.length, texts.length + 1, 'others share one')
})

test('nor is it where such a body comes in pieces', async (t) => {
  const { connections, sockets } = await connected(t, (socket, text) => {
    if (text.endsWith('!')) socket.write(ok)
  })
  const send = (pieces: readonly string[]) => {
    const body = Readable.from([...pieces, '!'].map((piece) => Buffer.from(piece)))
    const length = pieces.join('').length + 1
    return ask(connections, { method: 'PUT', headers: ['Content-Length', String(length)], body })
  }
  const smuggled = 'GET /admin HTTP/1.1\r\nHost: shop\r\n\r\n'
  const cuts = [
    [smuggled],
    ['G', smuggled.slice(1)],
    [...smuggled],
    ['\r\n'.repeat(100), '\r\n', smuggled],
    ['GET', ' ', '/'],
  ]
  for (const pieces of cuts) {
    await send(pieces)
    await pause(1)
  }
  assert.equal(sockets.length, cuts.length)
  for (const pieces of [
    ['a', '=b c d'],
    ['{', '"a": 1}'],
    ['x'.repeat(65), ' y z'],
  ]) {
    await send(pieces)
    await pause(1)
  }
  assert.equal(sockets.length, cuts.length + 1, 'others share one')
})

test('a body is asked for no faster than the server takes it', async (t) => {
  const { connections, sockets } = await connected(t, (socket) => socket.pause())
  let count = 0
  const body = new Readable({
    read() {
      count += 64 * 1024
      this.push(Buffer.alloc(64 * 1024))
    },
  })
  void ask(connections, { method: 'PUT', body })
  let before = -1
  while (count !== before) {
    before = count
    await pause(100)
  }
  assert.ok(count < 64 * 1024 * 1024)
  assert.equal(sockets.length, 1)
})

test('an answer is read no faster than it is taken', async (t) => {
  let left = 0
  const { connections } = await connected(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n')
    const write = () => {
      while (left < 100_000_000) {
        left += 100_000
        if (!socket.write(Buffer.alloc(100_000))) break
      }
    }
    socket.on('drain', write)
    write()
  })
  let control: AnswerControl | undefined
  const answer = ask(
    connections,
    {},
    (settings) => {
      control = settings
    },
    () => control?.pause(),
  )
  let before = -1
  while (left === 0 || left !== before) {
    before = left
    await pause(100)
  }
  assert.ok(left < 100_000_000)
  control?.resume()
  assert.equal((await answer).body.length, 100_000_000)
})

test('failures have the codes by which they are told apart', async (t) => {
  const failureOf = async (answer: (socket: Socket) => void, settings: Partial<SnapshotServer> = {}) => {
    const { connections } = await connected(t, answer, settings)
    return systemCode((await ask(connections)).failure)
  }
  assert.equal(await failureOf((socket) => socket.end()), 'UND_ERR_SOCKET')
  assert.equal(await failureOf((socket) => socket.resetAndDestroy()), 'ECONNRESET')
  assert.equal(await failureOf(() => undefined, { responseTimeoutMs: 300 }), 'UND_ERR_HEADERS_TIMEOUT')
  assert.equal(
    await failureOf((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'), {
      responseTimeoutMs: 300,
    }),
    'UND_ERR_BODY_TIMEOUT',
  )
  assert.equal(
    await failureOf((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok')),
    'UND_ERR_SOCKET',
  )
  const { failure } = await ask(new Http1Connections(serverAt(1)))
  assert.equal(systemCode(failure), 'ECONNREFUSED')
})

test('an aborted request fails with its reason, wherever it is, and leaves the others alone', async (t) => {
  const { connections } = await connected(t, (socket) => setTimeout(() => socket.write(ok), 30), {
    connectionsMax: 1,
  })
  const reason = new Error('the client has gone away')
  const first = ask(connections)
  const waiting = ask(connections, {}, (control) => setTimeout(() => control.abort(reason), 5))
  assert.equal((await waiting).failure, reason)
  assert.equal((await first).body, 'ok')
  const running = ask(connections, {}, (control) => setTimeout(() => control.abort(reason), 10))
  const next = ask(connections)
  assert.equal((await running).failure, reason)
  assert.equal((await next).body, 'ok')
  assert.equal(connections.underWay, 0)
})

test('closing lets requests end', async (t) => {
  const { connections } = await connected(t, (socket) => setTimeout(() => socket.write(ok), 20))
  const answer = ask(connections)
  await Promise.all([connections.close(), answer])
  assert.equal((await answer).body, 'ok')
})

test('a head that comes byte by byte has to come in the time for an answer', async (t) => {
  const { connections } = await connected(
    t,
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ')
      const dripping = setInterval(() => socket.write('y'), 50)
      socket.on('close', () => clearInterval(dripping))
    },
    { responseTimeoutMs: 500 },
  )
  assert.match(systemCode((await ask(connections)).failure) ?? '', /_TIMEOUT$/)
})
