import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2, constants } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import type { SlowClientLimits } from '@palisade/proxy-protocol'
import { carried } from '../testing/carried.ts'
import { http2Tls } from '../testing/http2-tls.ts'

const timeouts = { incrementalSeconds: 3, maxSeconds: 3 }
const limits: SlowClientLimits = {
  bytesPerSecond: 1_000,
  request: timeouts,
  response: timeouts,
  exceptions: [],
}

/** Types of frames and their flags (RFC 9113, section 6). */
const headers = 1
const settings = 4
const ping = 6
const endOfStream = 1
const endOfHeaders = 4

/** RFC 9113, section 4.1. @param length what it says of its length, when less of it is there */
function frame(type: number, flags: number, payload: Buffer, length = payload.length): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(length, 0, 3)
  head[3] = type
  head[4] = flags
  head[8] = type === headers ? 1 : 0
  return Buffer.concat([head, payload])
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const greeting = Buffer.concat([preface, frame(settings, 0, Buffer.alloc(0))])
const somePings = Buffer.concat(Array.from({ length: 30 }, () => frame(ping, 0, Buffer.alloc(8))))

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
  const longHeaders = frame(headers, endOfHeaders, Buffer.from([0x82]), 16_000)
  const trickled = [
    // Headers of which there is no end.
    [Buffer.concat([greeting, longHeaders]), Buffer.from([0x82])],
    // Nothing but pings.
    [greeting, somePings],
    // A session that begins slowly.
    [preface.subarray(0, 3), Buffer.concat([greeting.subarray(3), somePings])],
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
  const indexed = Buffer.from([0x82, 0x84, 0x87, 0x41, 1, 0x61])
  const request = frame(headers, endOfHeaders | endOfStream, indexed)
  await trickle(await opened(t, port), Buffer.concat([greeting, request]), somePings)
  assert.equal(exchanges.length, 1)
  assert.deepEqual(refused, [])
})
