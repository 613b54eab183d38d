import { setTimeout as pause } from 'node:timers/promises'

/** How often a worker looks whether its primary process is there. */
const lookMs = 200

/**
 * Ends when the primary process of this worker has gone, within a fifth of a second of it. Node's own `disconnect` is not enough: it does
 * not come while a socket that was sent to the primary process has not been acknowledged.
 */
export async function primaryGone(): Promise<void> {
  while (process.connected) await pause(lookMs)
}
