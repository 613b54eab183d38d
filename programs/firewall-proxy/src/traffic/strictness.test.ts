import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { carried, exchangeBytes } from '../testing/carried.ts'

const head = (lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const chunked = 'Transfer-Encoding: chunked'

/** Requests that servers read in different ways, by what is wrong with them. */
const refused: Readonly<Record<string, string>> = {
  'a length and chunks': `${head(['POST / HTTP/1.1', 'Host: a', 'Content-Length: 3', chunked])}0\r\n\r\n`,
  'two lengths': `${head(['POST / HTTP/1.1', 'Host: a', 'Content-Length: 3', 'Content-Length: 4'])}abcd`,
  'the same length twice': `${head(['POST / HTTP/1.1', 'Host: a', 'Content-Length: 3', 'Content-Length: 3'])}abc`,
  'a list of lengths': `${head(['POST / HTTP/1.1', 'Host: a', 'Content-Length: 3, 3'])}abc`,
  'a length with a sign': `${head(['POST / HTTP/1.1', 'Host: a', 'Content-Length: +3'])}abc`,
  'a hexadecimal length': `${head(['POST / HTTP/1.1', 'Host: a', 'Content-Length: 0x3'])}abc`,
  'a coding twice': `${head(['POST / HTTP/1.1', 'Host: a', chunked, 'Transfer-Encoding: identity'])}0\r\n\r\n`,
  'an unknown coding': `${head(['POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: xchunked'])}0\r\n\r\n`,
  'another coding before chunks': `${head(['POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip, chunked'])}0\r\n\r\n`,
  'chunks in HTTP/1.0': `${head(['POST / HTTP/1.0', 'Host: a', chunked])}0\r\n\r\n`,
  'a blank before the colon': `${head(['POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding : chunked'])}0\r\n\r\n`,
  'a bare LF after the request line': 'GET / HTTP/1.1\nHost: a\r\n\r\n',
  'a bare LF after a header': 'GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n',
  'a bare CR in a header': 'GET / HTTP/1.1\r\nHost: a\r\nX: b\rY: c\r\n\r\n',
  'a folded header': 'GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n',
  'a blank before the first header': 'GET / HTTP/1.1\r\n Host: a\r\n\r\n',
  'a NUL in the address': 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n',
  'a blank in the address': 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
  'a fragment': 'GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n',
  'no host': 'GET / HTTP/1.1\r\n\r\n',
  'two hosts': 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'no version': 'GET /\r\n\r\n',
  'another version': 'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
  'an address of everything': 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'a way through': 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n',
  'a way through with an address': 'CONNECT http://a/ HTTP/1.1\r\nHost: a\r\n\r\n',
  'something expected that nobody knows': head(['GET / HTTP/1.1', 'Host: a', 'Expect: 200-ok']),
}

test('what servers read in different ways does not reach them', async (t) => {
  let count = 0
  const { port } = await carried(t, {
    application: (_, response) => {
      count++
      response.end('reached')
    },
  })
  let ran = 0
  for (const [what, bytes] of Object.entries(refused)) {
    const answer = await exchangeBytes(port, bytes)
    assert.match(answer, /^HTTP\/1\.1 (400|417|501|505) /, what)
    assert.equal(count, 0, what)
    ran++
  }
  assert.equal(ran, Object.keys(refused).length)
})

test('a body with broken chunks does not reach a server as a whole', async (t) => {
  const bodies: string[] = []
  const { port } = await carried(t, {
    application: (request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        bodies.push(body)
        response.end('whole')
      })
      request.on('error', () => undefined)
    },
  })
  for (const chunks of [
    'zz\r\n\r\n',
    '1\nx\n0\n\n',
    '1\r\nxx\r\n0\r\n\r\n',
    '1;a\nb\r\nx\r\n0\r\n\r\n',
    '-1\r\n\r\n',
  ]) {
    const answer = await exchangeBytes(port, `${head(['POST / HTTP/1.1', 'Host: a', chunked])}${chunks}`)
    assert.doesNotMatch(answer, /whole/, JSON.stringify(chunks))
  }
  assert.deepEqual(bodies, [])
  const good = await exchangeBytes(
    port,
    `${head(['POST / HTTP/1.1', 'Host: a', chunked])}1;a=b\r\nx\r\n0\r\n\r\n`,
  )
  assert.match(good, /whole/)
  assert.deepEqual(bodies, ['x'])
})

test('whatever is refused is told about', async (t) => {
  const {
    port,
    refused: told,
    exchanges,
  } = await carried(t, { application: (_, response) => response.end() })
  let count = 0
  let ran = 0
  for (const [what, bytes] of Object.entries(refused)) {
    await exchangeBytes(port, bytes)
    const attacks = [
      ...told.map(({ violation }) => violation.attack),
      ...exchanges.flatMap(({ violations }) => violations.map(({ attack }) => attack)),
    ]
    assert.ok(attacks.length > count, what)
    assert.deepEqual(new Set(attacks), new Set(['invalid-or-malformed-http-request']), what)
    count = attacks.length
    ran++
  }
  assert.equal(ran, Object.keys(refused).length)
})

test('who asks for a way through behind a request that is not answered yet gets neither, and that is told about', async (t) => {
  const { port, refused: told } = await carried(t, { application: () => undefined })
  const connecting = head(['CONNECT a.example:443 HTTP/1.1', 'Host: a.example'])
  assert.match(
    await exchangeBytes(port, `${head(['GET / HTTP/1.1', 'Host: a'])}${connecting}`),
    /^HTTP\/1\.1 400 /,
  )
  assert.equal(told.length, 1)
})

test('requests that come one behind the other are carried one after the other, and none behind one that ends the connection', async (t) => {
  const requests: string[] = []
  let underWay = 0
  const { port } = await carried(t, {
    application: (request, response) => {
      assert.equal(underWay++, 0)
      requests.push(request.url ?? '')
      request.resume().on('end', () =>
        setTimeout(() => {
          underWay--
          response.end(`answer to ${request.url}`)
        }, 5),
      )
    },
  })
  const get = (path: string, ...lines: string[]) => head([`GET ${path} HTTP/1.1`, 'Host: a', ...lines])
  const post = `${head(['POST /2 HTTP/1.1', 'Host: a', chunked])}2\r\nhi\r\n0\r\n\r\n`
  const answers = await exchangeBytes(port, `${get('/1')}${post}${get('/3')}${get('/4')}`, 500)
  assert.deepEqual(requests, ['/1', '/2', '/3', '/4'])
  assert.deepEqual(answers.match(/answer to \/\d/g), [
    'answer to /1',
    'answer to /2',
    'answer to /3',
    'answer to /4',
  ])
  const last = await exchangeBytes(port, `${get('/5')}${get('/6', 'Host: b')}${get('/7')}`)
  assert.match(last, /answer to \/5.*HTTP\/1\.1 400 /s)
  assert.deepEqual(requests.slice(4), ['/5'])
})

test('what is no HTTP behind a request does not become a part of the answer that is being sent', async (t) => {
  const { port } = await carried(t, {
    application: (_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' })
      response.write('begun')
    },
  })
  const socket = connect(port, '127.0.0.1')
  let reply = ''
  socket.setEncoding('latin1').on('error', () => undefined)
  socket.on('data', (text) => {
    if (reply === '') socket.write('no HTTP\0\r\n\r\n')
    reply += text
  })
  socket.write(head(['GET / HTTP/1.1', 'Host: a']))
  await once(socket, 'close')
  assert.match(reply, /\r\n\r\nbegun$/)
})

test('behind a request that is not answered yet little is read, and all of it is carried afterwards', async (t) => {
  const count = 90
  const answers: (() => void)[] = []
  const {
    port,
    exchanges,
    refused: told,
  } = await carried(t, {
    application: (_, response) => {
      answers.push(() => response.end('served'))
      if (answers.length > 1) answers.at(-1)?.()
    },
  })
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  let reply = ''
  socket.setEncoding('latin1').on('data', (text) => {
    reply += text
  })
  const long = head(['GET / HTTP/1.1', 'Host: a', `X: ${'v'.repeat(12_000)}`])
  const written = new Promise((resolve) => socket.write(long.repeat(count), resolve))
  while (answers.length === 0) await pause(5)
  // Who reads all of it does so within that time.
  await Promise.race([written, pause(100)])
  answers[0]?.()
  while (reply.split('served').length <= count) await pause(5)
  assert.ok((exchanges[0]?.bytesReceived ?? Infinity) < 256 * 1024, `${exchanges[0]?.bytesReceived} bytes`)
  assert.deepEqual(told, [])
})

test('no more requests wait for answers on a connection than there may be', async (t) => {
  let count = 0
  const { port, refused: told } = await carried(t, {
    application: () => {
      count++
    },
  })
  const get = head(['GET / HTTP/1.1', 'Host: a'])
  assert.equal(await exchangeBytes(port, get.repeat(1_000)), '')
  assert.ok(count <= 1)
  assert.equal(told.length, 1)
})
