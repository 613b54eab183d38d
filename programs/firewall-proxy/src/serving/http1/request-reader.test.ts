import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { HttpFront } from '../http-front.ts'

/** A request as it was sent, and as it has to be read. */
interface Sent {
  readonly bytes: string
  readonly method: string
  readonly url: string
  readonly body?: string
}

const head = (line: string, ...headers: string[]) => `${[line, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`
const withLength = (line: string, body: string) => `${head(line, `Content-Length: ${body.length}`)}${body}`
const inChunks = (line: string, trailers: string, ...chunks: string[]) => {
  const all = chunks.map((chunk) => `${chunk.length.toString(16)};a=b\r\n${chunk}\r\n`)
  return `${head(line, 'Transfer-Encoding: chunked')}${all.join('')}0\r\n${trailers}\r\n`
}

/** What a body must not become. */
const inside = head('BREW /inside HTTP/1.1')

/** Requests of one connection, with everything in them that could be taken for the end of one. */
const requests: readonly Sent[] = [
  { bytes: head('GET /1 HTTP/1.1'), method: 'GET', url: '/1' },
  { bytes: head('RPC_IN_DATA /2?a=b HTTP/1.1'), method: 'RPC_IN_DATA', url: '/2?a=b' },
  {
    bytes: withLength('VERSION-CONTROL /3 HTTP/1.1', inside),
    method: 'VERSION-CONTROL',
    url: '/3',
    body: inside,
  },
  {
    bytes: inChunks('DEBUG /4 HTTP/1.1', 'X: GET\r\n', inside, '\r\n\r\n0\r\n\r\n', 'x'),
    method: 'DEBUG',
    url: '/4',
    body: `${inside}\r\n\r\n0\r\n\r\nx`,
  },
  { bytes: inChunks('POST /5 HTTP/1.1', '', inside), method: 'POST', url: '/5', body: inside },
  { bytes: `\r\n${head('get /6 HTTP/1.1')}`, method: 'get', url: '/6' },
  { bytes: head('GET /\xc3\xa4?\xff=\x80 HTTP/1.1', 'X: \xe4'), method: 'GET', url: '/%C3%A4?%FF=%80' },
  { bytes: head('BREW http://b/\xe4 HTTP/1.1'), method: 'BREW', url: 'http://b/%E4' },
  { bytes: withLength('constructor /9 HTTP/1.1', ''), method: 'constructor', url: '/9' },
  { bytes: withLength('POST /10 HTTP/1.1', inside), method: 'POST', url: '/10', body: inside },
]

/** Sends pieces over one connection and gives the requests that a front has told of. */
async function parse(pieces: readonly string[], onConnection: (client: Duplex) => void = () => undefined) {
  const requests: { method?: string; url?: string; body: string }[] = []
  const faults: (string | undefined)[] = []
  const front = new HttpFront({
    onRequest: (request, response) => {
      assert.ok(request instanceof IncomingMessage)
      const one = { method: request.method ?? '', url: request.url ?? '', body: '' }
      requests.push(one)
      request.setEncoding('latin1').on('data', (text) => {
        one.body += text
      })
      response.end('served')
    },
    onError: ({ code }, stream) => {
      faults.push(code)
      stream.destroy()
    },
    onConnect: (socket) => socket.destroy(),
    onSession: () => undefined,
    allowsWebSockets: () => false,
  })
  const [client, server] = duplexPair()
  front.admit(server, null)
  onConnection(client)
  client.resume()
  for (const piece of pieces) {
    client.write(piece, 'latin1')
    await turn()
  }
  for (let turns = 0; turns < 5; turns++) await turn()
  client.destroy()
  server.destroy()
  return { seen: requests, faults }
}

function expectedOf(sent: readonly Sent[]) {
  return sent.map(({ method, url, body = '' }) => ({ method, url, body }))
}

test('requests with any method and any bytes in their addresses are read as they are, however they are cut on their way', async () => {
  const all = requests.map(({ bytes }) => bytes).join('')
  let ran = 0
  for (let at = 0; at < all.length; at++) {
    const { seen, faults } = await parse([all.slice(0, at), all.slice(at)])
    assert.deepEqual(
      [faults, seen],
      [[], expectedOf(requests)],
      `cut behind ${JSON.stringify(all.slice(0, at).slice(-20))}`,
    )
    ran++
  }
  assert.equal(ran, all.length)
  const { seen } = await parse([...all])
  assert.deepEqual(seen, expectedOf(requests))
})

test('each request may come by itself, in one piece with each of the others or before it', async () => {
  for (const one of requests) {
    for (const other of requests) {
      const { seen } = await parse([one.bytes, one.bytes + other.bytes, other.bytes])
      assert.deepEqual(seen, expectedOf([one, one, other, other]), one.bytes + other.bytes)
    }
  }
})

test('what no method can be is refused at once, and the beginning of one when nothing more comes', async () => {
  for (const bytes of [
    '\x16\x03\x01',
    '(GET / HTTP/1.1',
    'GET\t/ HTTP/1.1',
    'BREW\r\n',
    '\xc3\x84 / HTTP/1.1',
    ' / HTTP/1.1',
    `${'M'.repeat(65)} / HTTP/1.1`,
    'M'.repeat(66),
    head('BREW  / HTTP/1.1'),
    head('BREW / HTTP/9'),
    head('BREW /\0 HTTP/1.1'),
  ]) {
    for (const pieces of [[bytes], [...bytes]]) {
      const { seen, faults } = await parse(pieces)
      assert.deepEqual([seen, faults.length], [[], 1], JSON.stringify(bytes))
    }
  }
  for (const bytes of ['BREW', 'GE', 'BREW /a']) {
    const { seen, faults } = await parse([bytes], (client) => setImmediate(() => client.end()))
    assert.deepEqual([seen, faults.length], [[], 1], bytes)
  }
})

test('what can be read in two ways is with a method of its own what it is with any other', async () => {
  const framings = [
    'Content-Length: 3\r\nTransfer-Encoding: chunked',
    'Content-Length: 3\r\nContent-Length: 4',
    'Content-Length: +3',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding : chunked',
    'X: a\nContent-Length: 3',
    'X: a\rContent-Length: 3',
    'X: a\r\n Content-Length: 3',
  ]
  for (const framing of framings) {
    const faultsOf = async (method: string) =>
      (await parse([`${head(`${method} / HTTP/1.1`, framing)}abc${inside}`])).faults
    assert.deepEqual(await faultsOf('BREW'), await faultsOf('PUT'), framing)
    assert.equal((await faultsOf('BREW')).length, 1, framing)
  }
})

test('answers that nobody takes hold up what comes behind, in one piece or not, and lose nothing', async () => {
  const count = 40
  const all = Array.from({ length: count }, (_, number) => withLength(`BREW /${number} HTTP/1.1`, inside))
  let paths: (string | undefined)[] = []
  const front = new HttpFront({
    onRequest: (request, response) => {
      paths.push(request.url)
      request.resume()
      response.end('x'.repeat(50_000))
    },
    onError: (error) => assert.fail(error),
    onConnect: () => assert.fail(),
    onSession: () => undefined,
    allowsWebSockets: () => false,
  })
  const [client, server] = duplexPair()
  front.admit(server, null)
  client.write(all.join(''))
  for (let turns = 0; turns < 20; turns++) await turn()
  assert.ok(paths.length < count, `${paths.length} requests`)
  let bytes = 0
  client.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  while (paths.length < count || bytes < count * 50_000) await turn()
  assert.deepEqual(
    paths,
    all.map((_, number) => `/${number}`),
  )
  paths = []
  client.end()
  await once(server, 'close')
})
