import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemCode } from '@palisade/private-files'
import { AnswerReader } from './answer-reader.ts'

/** What a reader tells of an answer. */
interface Told {
  status?: number
  message?: string
  headers?: readonly string[]
  body: string
  /** Present when the answer has ended. */
  end?: {
    readonly trailers: readonly string[]
    readonly persists: boolean
    readonly keepAliveMs: number | undefined
  }
  /** What came behind the answer that opened a tunnel. */
  tunnel?: string
}

/** Reads pieces of an answer; the last one may be followed by the end of the connection. */
function read(
  pieces: readonly string[],
  { method = 'GET', asksForWebSocket = false, thenEnds = false } = {},
): Told {
  const events: Told = { body: '' }
  const reader = new AnswerReader(
    { method, asksForWebSocket },
    {
      isOver: () => events.end !== undefined || events.tunnel !== undefined,
      onHead: ({ status, message, headers }) => Object.assign(events, { status, message, headers }),
      onData: (bytes) => {
        events.body += bytes.toString('latin1')
      },
      onEnd: (trailers, persists, keepAliveMs) =>
        Object.assign(events, { end: { trailers, persists, keepAliveMs } }),
      onTunnel: ({ status, headers }, rest) =>
        Object.assign(events, { status, headers, tunnel: rest.toString('latin1') }),
    },
  )
  for (const piece of pieces) reader.read(Buffer.from(piece, 'latin1'))
  if (thenEnds) reader.end()
  return events
}

const chunked =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n' +
  '5\r\nhello\r\n1;name="a b"\r\n \r\n00A\r\nold world!\r\n0\r\nX-Sum: 16 \r\n\r\n'

test('an answer is the same however it is cut on its way', () => {
  const whole = read([chunked])
  assert.equal(whole.body, 'hello old world!')
  assert.deepEqual(whole.end, { trailers: ['X-Sum', '16'], persists: true, keepAliveMs: undefined })
  for (let at = 1; at < chunked.length; at++) {
    assert.deepEqual(read([chunked.slice(0, at), chunked.slice(at)]), whole, `cut at ${at}`)
  }
  assert.deepEqual(read([...chunked]), whole)
})

test('names and values come as they are, without the blanks around them', () => {
  const answer = read([
    'HTTP/1.1 404 Nicht da\r\nset-COOKIE: a=1\r\nX-Empty:\r\nSet-Cookie:\t b=\xe4 \t\r\nContent-Length: 0\r\n\r\n',
  ])
  assert.equal(answer.status, 404)
  assert.equal(answer.message, 'Nicht da')
  assert.deepEqual(answer.headers, [
    'set-COOKIE',
    'a=1',
    'X-Empty',
    '',
    'Set-Cookie',
    'b=\xe4',
    'Content-Length',
    '0',
  ])
})

test('provisional answers are passed over, and the final one is told', () => {
  const answer = read([
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Le',
    'ngth: 2\r\n\r\nok',
  ])
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.headers, ['Content-Length', '2'])
  assert.equal(answer.body, 'ok')
})

test('answers to HEAD, and that nothing has changed, end with their head', () => {
  for (const [method, status] of [
    ['HEAD', 200],
    ['GET', 304],
  ] as const) {
    const answer = read([`HTTP/1.1 ${status} So\r\nContent-Length: 5\r\n\r\n`], { method })
    assert.equal(answer.end?.persists, true, `${method} ${status}`)
  }
})

test('a body without a length ends with the connection', () => {
  const answer = read(['HTTP/1.0 200 OK\r\n\r\nsome', 'thing'], { thenEnds: true })
  assert.equal(answer.body, 'something')
  assert.equal(answer.end?.persists, false)
})

test('a body that ends before its length or its last chunk is a failure', () => {
  for (const text of [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell',
    chunked.slice(0, -2),
    'HTTP/1.1 200 OK\r\nContent-',
    '',
  ]) {
    assert.throws(() => read([text], { thenEnds: true }), { code: 'UND_ERR_SOCKET' }, JSON.stringify(text))
  }
})

test('the connection persists as both versions say, and not when something follows the answer', () => {
  const persists = (head: string, body = '') =>
    read([`${head}\r\nContent-Length: 0\r\n\r\n${body}`]).end?.persists
  assert.equal(persists('HTTP/1.1 200 OK'), true)
  assert.equal(persists('HTTP/1.1 200 OK\r\nConnection: Close'), false)
  assert.equal(persists('HTTP/1.1 200 OK\r\nConnection: foo, close'), false)
  assert.equal(persists('HTTP/1.0 200 OK'), false)
  assert.equal(persists('HTTP/1.0 200 OK\r\nConnection: Keep-Alive'), true)
  assert.equal(persists('HTTP/1.1 200 OK', 'HTTP/1.1 200 OK\r\n\r\n'), false)
  const { end } = read(['HTTP/1.1 200 OK\r\nKeep-Alive: max=9, timeout=5\r\nContent-Length: 0\r\n\r\n'])
  assert.equal(end?.keepAliveMs, 5_000)
})

test('a WebSocket is opened for who has asked for one, with what came behind the head', () => {
  const text = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x00'
  assert.equal(read([text], { asksForWebSocket: true }).tunnel, '\x81\x00')
  assert.throws(() => read([text]), /without having been asked/)
})

test('what could be read in two ways is refused', () => {
  const ok = 'HTTP/1.1 200 OK\r\n'
  const malformed = [
    'HTTP/1.1 200 OK\nContent-Length: 0\n\n\r\n\r\n',
    'HTTP/2.0 200 OK\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 099 OK\r\n\r\n',
    'ICY 200 OK\r\n\r\n',
    `${ok}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`,
    `${ok}Content-Length: 5, 5\r\n\r\nhello`,
    `${ok}Content-Length: +5\r\n\r\nhello`,
    `${ok}Content-Length: 0x5\r\n\r\nhello`,
    `${ok}Content-Length: 99999999999999999999\r\n\r\nhello`,
    `${ok}Content-Length:\r\n\r\n`,
    `${ok}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    `${ok}Transfer-Encoding: identity\r\n\r\n`,
    'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    `${ok}X-Folded: one\r\n two\r\n\r\n`,
    `${ok}Name : value\r\n\r\n`,
    `${ok}: value\r\n\r\n`,
    `${ok}no colon\r\n\r\n`,
    `${ok}X: a\rb\r\n\r\n`,
    `${ok}X: a\nY: b\r\n\r\n`,
    `${ok}X: a\0b\r\n\r\n`,
    ...[
      '5 \r\nhello',
      '+5\r\nhello',
      '-5\r\nhello',
      '0x5\r\nhello',
      '\r\nhello',
      '5\nhello',
      '5\r\nhello!\r\n',
      '5\r\nhello\n0',
    ].map((chunks) => `${ok}Transfer-Encoding: chunked\r\n\r\n${chunks}\r\n0\r\n\r\n`),
    `${ok}Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n`,
    `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\nno colon\r\n\r\n`,
  ]
  for (const text of malformed) {
    assert.throws(
      () => read([text]),
      (error) => systemCode(error)?.startsWith('HPE_') !== true && /malformed/.test(String(error)),
      JSON.stringify(text),
    )
  }
})

test('heads, trailers and lines between chunks have a limit', () => {
  const long = 'x'.repeat(20_000)
  assert.throws(() => read([`HTTP/1.1 200 OK\r\nX: ${long}`]), { code: 'UND_ERR_HEADERS_OVERFLOW' })
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  assert.throws(() => read([`${head}5;${long}`]), /too long/)
  assert.throws(() => read([`${head}0\r\nX: ${long}`]), /too long/)
  assert.throws(() => read([`${head}0\r\n${'X: y\r\n'.repeat(4_000)}`]), /too long/)
})

test('provisional answers have a limit', () => {
  const provisional = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  const pieces = [...Array<string>(5_000).fill(provisional), 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n']
  assert.throws(() => read(pieces), { code: 'UND_ERR_HEADERS_OVERFLOW' })
  assert.throws(() => read([pieces.join('')]), { code: 'UND_ERR_HEADERS_OVERFLOW' })
  assert.equal(read(pieces.slice(-9)).status, 200)
})

test('who announces a body for an answer that has none is not asked over that connection again', () => {
  for (const [framing, persists] of [
    ['Content-Length: 5', false],
    ['Transfer-Encoding: chunked', false],
    ['Content-Length: 0', true],
    ['X: y', true],
  ] as const) {
    assert.equal(read([`HTTP/1.1 204 No Content\r\n${framing}\r\n\r\n`]).end?.persists, persists, framing)
  }
})
