import type { Duplex } from 'node:stream'
import { isAnswer, type ResponseHead } from '../filters/filter.ts'
import type { Exchange } from './exchange.ts'
import { endToEndHeaders } from './hop-by-hop.ts'
import { sendAnswer } from './send-answer.ts'

/** A client's connection that may become something else than HTTP. */
export interface Upgrade {
  readonly socket: Duplex
  /** What came behind the request's headers. */
  readonly head: Buffer
}

/**
 * Tells a client that its connection is a WebSocket from now on (RFC 6455, section 4.2.2), and lets bytes pass both ways until
 * either side ends it. Neither side is read faster than the other takes it. Filters see the headers of the answer, as of any other,
 * and may put another one in its place.
 *
 * @param rawHeaders the server's, names and values in turn
 */
export function openTunnel(
  exchange: Exchange,
  upgrade: Upgrade,
  server: Duplex,
  rawHeaders: readonly string[],
): void {
  const answer: ResponseHead = {
    status: 101,
    message: 'Switching Protocols',
    headers: endToEndHeaders(rawHeaders),
  }
  const outcome = exchange.judge.filters.onResponse(exchange, answer)
  if (isAnswer(outcome)) {
    server.destroy()
    sendAnswer(exchange, outcome, false)
    return
  }
  exchange.isTunnel = true
  exchange.runtime.tunnelled(exchange)
  const client = upgrade.socket
  const { headers } = answer
  let head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
  for (let index = 0; index + 1 < headers.length; index += 2)
    head += `${headers[index]}: ${headers[index + 1]}\r\n`
  client.write(`${head}\r\n`, 'latin1')
  if (upgrade.head.length > 0) server.write(upgrade.head)
  exchange.upstream = { abort: () => server.destroy() }
  server.on('data', (chunk: Buffer) => {
    exchange.bytesSent += chunk.length
  })
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.pipe(to)
    from.once('error', () => to.destroy())
    from.once('close', () => to.destroy())
  }
}
