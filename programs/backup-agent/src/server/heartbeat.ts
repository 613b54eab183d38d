import type { SilenceBounds } from './silence.ts'

/** What the heartbeat needs of a WebSocket. */
export interface Pulse {
  on(event: string, listener: () => void): unknown
  ping(): void
}

/**
 * Pings, and reports once when nothing was heard for too long: a machine that lost its power does not say so.
 *
 * @returns stops it
 */
export function startHeartbeat(
  socket: Pulse,
  { heartbeatMs, linkMaxMs }: Pick<SilenceBounds, 'heartbeatMs' | 'linkMaxMs'>,
  onSilence: () => void,
): () => void {
  let silence = setTimeout(onSilence, linkMaxMs)
  const restart = () => {
    clearTimeout(silence)
    silence = setTimeout(onSilence, linkMaxMs)
  }
  for (const sign of ['message', 'ping', 'pong']) socket.on(sign, restart)
  const pings = setInterval(() => socket.ping(), heartbeatMs)
  return () => {
    clearTimeout(silence)
    clearInterval(pings)
  }
}
