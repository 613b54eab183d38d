import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants } from 'node:http2'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { carried } from '../testing/carried.ts'
import {
  endOfHeaders,
  endOfStream,
  frameTypes,
  http2Frame,
  http2Greeting,
  http2HeadersOf,
} from '../testing/http2-frames.ts'
import { http2Tls } from '../testing/http2-tls.ts'

/** Requests that are taken back at once, and whatever comes behind them, over one connection until that is ended. */
async function takeBack(port: number, count: number, last: readonly Buffer[]): Promise<Buffer> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
  await once(socket, 'secureConnect')
  socket.write(http2Greeting)
  for (let number = 0; number < count; number++) {
    const stream = 2 * number + 1
    socket.write(http2Frame(frameTypes.headers, endOfHeaders | endOfStream, stream, http2HeadersOf.GET))
    socket.write(http2Frame(frameTypes.reset, 0, stream, Buffer.from([0, 0, 0, 8])))
  }
  for (const frame of last) socket.write(frame)
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('a client that takes too many requests back is told so, and the log as well', async (t) => {
  const { port, refused } = await carried(t, {
    application: () => undefined,
    service: { tls: http2Tls() },
  })
  const answer = await takeBack(port, 700, [])
  assert.deepEqual(errorsOf(answer), [constants.NGHTTP2_ENHANCE_YOUR_CALM])
  assert.deepEqual(
    refused.map(({ violation }) => [violation.attack, violation.detail]),
    [['rate-control-intrusion', 'It took too many requests back.']],
  )
})

test('a map that takes hundreds of tiles back gets the next one over the same connection', async (t) => {
  const { port, refused, exchanges } = await carried(t, {
    application: (_, response) => response.end('tile'),
    service: { tls: http2Tls(), idleTimeoutSeconds: 2 },
  })
  const request = http2Frame(frameTypes.headers, endOfHeaders | endOfStream, 601, http2HeadersOf.GET)
  const answer = await takeBack(port, 300, [request])
  assert.deepEqual(errorsOf(answer), [constants.NGHTTP2_NO_ERROR])
  assert.match(answer.toString('latin1'), /tile/)
  assert.equal(exchanges.length, 301)
  assert.deepEqual(refused, [])
})

/** With which errors a server says that it ends a connection (RFC 9113, section 6.8). */
function errorsOf(frames: Buffer): number[] {
  const errors: number[] = []
  for (let at = 0; at + 9 <= frames.length; at += 9 + frames.readUIntBE(at, 3)) {
    if (frames[at + 3] === frameTypes.goAway) errors.push(frames.readUInt32BE(at + 13))
  }
  return errors
}
