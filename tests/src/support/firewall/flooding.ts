import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import {
  endOfHeaders,
  endOfStream,
  frameTypes,
  http2Frame,
  http2Greeting,
  http2HeadersOf,
} from '@palisade/firewall-proxy/testing'

/** What connections send for as long as they are open. */
interface Flood {
  readonly port: number
  readonly connections: number
  /** Frames of HTTP/2 with one byte each, chunks of HTTP/1.1 with one byte each, or requests of HTTP/2 that are taken back at once. */
  readonly of: 'frames' | 'chunks' | 'resets'
}

/** Nothing is sent for longer, whatever the other side does. */
const lastsMaxMs = 120_000

/** Floods from a process of its own. @returns how many connections the other side has ended */
export async function flood(attack: Flood): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(attack)])
  const [endedCount] = await once(child, 'message')
  return endedCount
}

/** What is sent on one connection, without an end. */
function* blocksOf({ of }: Flood): Generator<Buffer> {
  if (of === 'chunks') {
    yield Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    for (;;) yield Buffer.from('1\r\nx\r\n'.repeat(5_000))
  }
  yield http2Greeting
  if (of === 'frames') {
    yield http2Frame(frameTypes.headers, endOfHeaders, 1, http2HeadersOf.POST)
    const byte = http2Frame(frameTypes.data, 0, 1, Buffer.from('x'))
    for (;;) yield Buffer.concat(Array.from({ length: 5_000 }, () => byte))
  }
  for (let stream = 1; ; stream += 2) {
    yield Buffer.concat([
      http2Frame(frameTypes.headers, endOfHeaders | endOfStream, stream, http2HeadersOf.GET),
      http2Frame(frameTypes.reset, 0, stream, Buffer.from([0, 0, 0, 8])),
    ])
  }
}

/** @returns whether the other side has ended the connection */
async function floodOnce(attack: Flood, deadline: AbortSignal): Promise<boolean> {
  const address = { host: '127.0.0.1', port: attack.port }
  const socket: Socket =
    attack.of === 'chunks'
      ? connectTcp(address)
      : connectTls({ ...address, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined).resume()
  for (const block of blocksOf(attack)) {
    if (socket.destroyed || deadline.aborted) break
    if (socket.write(block)) continue
    const drained = once(socket, 'drain', { signal: deadline }).catch(() => undefined)
    await Promise.race([drained, closed])
  }
  const isEnded = socket.destroyed
  socket.destroy()
  return isEnded
}

if (process.send) {
  const attack: Flood = JSON.parse(process.argv[2] ?? '')
  const deadline = AbortSignal.timeout(lastsMaxMs)
  const all = await Promise.all(Array.from({ length: attack.connections }, () => floodOnce(attack, deadline)))
  process.send(all.filter(Boolean).length, () => process.exit())
}
