import type { Duplex } from 'node:stream'
import { isAnswer, type ResponseHead } from '../exchange/answer.ts'
import type { Upgrade } from '../exchange/exchange.ts'
import { endToEndHeaders } from '../exchange/headers.ts'
import type { RequestContext } from './request-context.ts'
import { sendAnswer } from './send-answer.ts'
import { watchTunnel } from './websockets/watch-tunnel.ts'

/**
 * Tells a client that its connection is a WebSocket from now on (RFC 6455, section 4.2.2), and lets bytes pass both ways until
 * either side ends it. Neither side is read faster than the other takes it. Filters see the headers of the answer, as of any other,
 * and may put another one in its place.
 *
 * @param rawHeaders the server's, names and values in turn
 */
export function openTunnel(
  context: RequestContext,
  upgrade: Upgrade,
  server: Duplex,
  rawHeaders: readonly string[],
): void {
  const { exchange, runtime, judge } = context
  const answer: ResponseHead = {
    status: 101,
    message: 'Switching Protocols',
    headers: endToEndHeaders(rawHeaders),
  }
  const outcome = judge.filters.onResponse(exchange, answer)
  if (isAnswer(outcome)) {
    server.destroy()
    sendAnswer(exchange, outcome, false)
    return
  }
  exchange.isTunnel = true
  runtime.tunnelled(exchange)
  const client = upgrade.socket
  const { headers } = answer
  let head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
  for (let index = 0; index + 1 < headers.length; index += 2)
    head += `${headers[index]}: ${headers[index + 1]}\r\n`
  client.write(`${head}\r\n`, 'latin1')
  exchange.serverAbort = { abort: () => server.destroy() }
  server.on('data', (chunk: Buffer) => {
    exchange.bytesSent += chunk.length
  })
  const checks = judge.filters.onTunnel(exchange)
  if (checks !== undefined) {
    watchTunnel(context, checks, { client, server, early: upgrade.head })
    return
  }
  if (upgrade.head.length > 0) server.write(upgrade.head)
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.pipe(to)
    from.once('error', () => to.destroy())
    from.once('close', () => to.destroy())
  }
}
