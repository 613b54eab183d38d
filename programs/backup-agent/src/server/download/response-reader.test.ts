import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ReplyBroken } from '../request-failure.ts'
import { ResponseReader } from './response-reader.ts'

/** Pushes bytes in pieces of the given sizes and gives what was read. */
function read(bytes: Buffer, sizes: readonly number[] = [bytes.length], endsThere = false) {
  const body: Buffer[] = []
  const reader = new ResponseReader((_head, piece) => body.push(Buffer.from(piece)))
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    reader.push(bytes.subarray(at, at + size))
    at += size
  }
  if (endsThere) reader.end()
  return { head: reader.head, isComplete: reader.isComplete, body: Buffer.concat(body) }
}

const text = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n'), 'latin1')

const framings = {
  'with a length': (body: Buffer) =>
    Buffer.concat([text('HTTP/1.1 200 OK', `Content-Length: ${body.length}`, '', ''), body]),
  'in chunks': (body: Buffer) => {
    const head = text('HTTP/1.1 200 OK', 'transfer-encoding: Chunked', '', '')
    const chunks: Buffer[] = []
    for (let at = 0; at < body.length; at += 7) {
      const chunk = body.subarray(at, at + 7)
      chunks.push(text(chunk.length.toString(16), ''), chunk, text('', ''))
    }
    return Buffer.concat([head, ...chunks, text('0;last=yes', 'Trailer: 1', '', '')])
  },
  'up to the end of the connection': (body: Buffer) => Buffer.concat([text('HTTP/1.1 200 OK', '', ''), body]),
}

for (const [name, frame] of Object.entries(framings)) {
  test(`reads a body ${name}, however the bytes are cut`, () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 100 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        (body, sizes) => {
          const endsThere = name.startsWith('up to')
          const result = read(frame(Buffer.from(body)), sizes, endsThere)
          assert.deepEqual(result.body, Buffer.from(body))
          assert.ok(result.isComplete)
          assert.deepEqual(result.head, { status: 200, keepsAlive: !endsThere })
        },
      ),
    )
  })
}

test('knows whether the connection can be used again', () => {
  const keepsAlive = (...lines: readonly string[]) =>
    read(text(...lines, 'Content-Length: 0', '', '')).head?.keepsAlive
  assert.equal(keepsAlive('HTTP/1.1 200 OK'), true)
  assert.equal(keepsAlive('HTTP/1.1 200 OK', 'Connection: close'), false)
  assert.equal(keepsAlive('HTTP/1.0 200 OK'), false)
  assert.equal(keepsAlive('HTTP/1.0 200 OK', 'Connection: Keep-Alive'), true)
})

test('passes over interim responses, and knows replies without a body', () => {
  const bytes = text('HTTP/1.1 100 Continue', '', 'HTTP/1.1 204 No Content', '', '')
  assert.deepEqual(read(bytes).head, { status: 204, keepsAlive: true })
  assert.ok(read(bytes).isComplete)
})

test('refuses what is not a response', () => {
  const bad = {
    'another protocol': text('SSH-2.0-OpenSSH_9.6', '', ''),
    'a header without a name': text('HTTP/1.1 200 OK', 'what is this', '', ''),
    'an unknown coding': text('HTTP/1.1 200 OK', 'Transfer-Encoding: gzip', '', ''),
    'a length that is no number': text('HTTP/1.1 200 OK', 'Content-Length: -1', '', ''),
    'two lengths': text('HTTP/1.1 200 OK', 'Content-Length: 5', 'Content-Length: 1', '', 'a'),
    'two codings': text(
      'HTTP/1.1 200 OK',
      'Transfer-Encoding: gzip',
      'Transfer-Encoding: chunked',
      '',
      '0',
      '',
      '',
    ),
    'a length beside chunks': text(
      'HTTP/1.1 200 OK',
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
      '',
      '0',
      '',
      '',
    ),
    'a chunk without a size': text('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', 'x', ''),
    'a chunk longer than it said': text('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '1', 'ab', ''),
    'more than the reply': text('HTTP/1.1 200 OK', 'Content-Length: 1', '', 'ab'),
    'a head without an end': Buffer.concat([text('HTTP/1.1 200 OK', ''), Buffer.alloc(40_000, 'a')]),
  }
  for (const [name, bytes] of Object.entries(bad)) assert.throws(() => read(bytes), ReplyBroken, name)
})

test('refuses a reply that ends early', () => {
  for (const cut of ['HTTP/1.1 20', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc']) {
    assert.throws(() => read(Buffer.from(cut), undefined, true), ReplyBroken)
  }
})

test('interim responses and trailers without an end are refused', () => {
  const endless = (head: string, again: string) => () => {
    const reader = new ResponseReader(() => {})
    reader.push(Buffer.from(head))
    for (let count = 0; count < 1000; count++) reader.push(Buffer.from(again))
  }
  assert.throws(endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), ReplyBroken)
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n'
  assert.throws(endless(chunked, 'X-Trailer: 1\r\n'), ReplyBroken)
})
