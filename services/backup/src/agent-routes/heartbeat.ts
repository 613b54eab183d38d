import type { WebSocket } from 'ws'

/** When a link is pinged, and when it is taken for dead. */
export interface Heartbeat {
  readonly intervalMs: number
  readonly silenceMaxMs: number
}

/**
 * Pings the other end, and cuts the connection when nothing was heard of it for too long: a machine that lost its
 * power does not say so. Ends with the connection.
 */
export function keepAlive(socket: WebSocket, { intervalMs, silenceMaxMs }: Heartbeat): void {
  const silence = setTimeout(() => socket.terminate(), silenceMaxMs)
  for (const sign of ['message', 'ping', 'pong']) socket.on(sign, () => silence.refresh())
  const pings = setInterval(() => socket.ping(), intervalMs)
  socket.once('close', () => {
    clearTimeout(silence)
    clearInterval(pings)
  })
}
