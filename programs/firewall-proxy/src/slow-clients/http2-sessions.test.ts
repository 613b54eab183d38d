import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2, constants } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import type { SlowClientLimits } from '@palisade/proxy-protocol'
import { carried } from '../testing/carried.ts'
import {
  endOfHeaders,
  endOfStream,
  frameTypes,
  http2Frame,
  http2Greeting,
  http2HeadersOf,
  http2Preface,
} from '../testing/http2-frames.ts'
import { http2Tls } from '../testing/http2-tls.ts'

const timeouts = { incrementalSeconds: 3, maxSeconds: 3 }
const limits: SlowClientLimits = {
  bytesPerSecond: 1_000,
  request: timeouts,
  response: timeouts,
  exceptions: [],
}

const somePings = Buffer.concat(
  Array.from({ length: 30 }, () => http2Frame(frameTypes.ping, 0, 0, Buffer.alloc(8))),
)

/** A connection for HTTP/2 over which bytes are sent by hand, and never ended by its client. */
async function opened(t: TestContext, port: number): Promise<TLSSocket> {
  const plain = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true })
  const socket = connect({ socket: plain, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
  t.after(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  return socket.resume()
}

/** Sends first one piece, and then the bytes of another one, one by one and again and again, until the connection is closed. */
async function trickle(socket: TLSSocket, first: Buffer, then: Buffer): Promise<void> {
  socket.write(first)
  for (let count = 0; !socket.destroyed; count++) {
    if (socket.writable) socket.write(then.subarray(count % then.length, (count % then.length) + 1))
    await pause(50)
  }
}

test('whoever opens a session has to come to a first request in time', async (t) => {
  const { port, refused } = await carried(t, {
    application: (_, response) => response.end(),
    service: { tls: http2Tls(), slowClients: limits },
  })
  const longHeaders = http2Frame(frameTypes.headers, endOfHeaders, 1, Buffer.from([0x82]), 16_000)
  const trickled = [
    // Headers of which there is no end.
    [Buffer.concat([http2Greeting, longHeaders]), Buffer.from([0x82])],
    // Nothing but pings.
    [http2Greeting, somePings],
    // A session that begins slowly.
    [http2Preface.subarray(0, 3), Buffer.concat([http2Greeting.subarray(3), somePings])],
  ] as const
  await Promise.all(trickled.map(async ([first, then]) => trickle(await opened(t, port), first, then)))
  assert.equal(refused.length, trickled.length)
  for (const { violation } of refused) assert.equal(violation.detail, 'The request came too slowly.')
})

test('a client is told that it was too slow', async (t) => {
  const { port } = await carried(t, {
    application: (_, response) => response.end(),
    service: { tls: http2Tls(), slowClients: limits },
  })
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  session.on('error', () => undefined)
  t.after(() => session.destroy())
  const [code] = await once(session, 'goaway')
  assert.equal(code, constants.NGHTTP2_ENHANCE_YOUR_CALM)
})

test('a session without a request is idle, whatever comes over it, and is ended without blame', async (t) => {
  const { port, refused, exchanges } = await carried(t, {
    application: (_, response) => response.end('served'),
    service: { tls: http2Tls(), slowClients: limits, idleTimeoutSeconds: 5 },
  })
  const request = http2Frame(frameTypes.headers, endOfHeaders | endOfStream, 1, http2HeadersOf.GET)
  await trickle(await opened(t, port), Buffer.concat([http2Greeting, request]), somePings)
  assert.equal(exchanges.length, 1)
  assert.deepEqual(refused, [])
})
