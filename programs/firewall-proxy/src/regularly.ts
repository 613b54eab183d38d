import { setTimeout as pause } from 'node:timers/promises'

/** Does something again and again, each time so long after it was done before, until the signal is aborted. */
export async function regularly(
  intervalMs: number,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await pause(intervalMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await work()
  }
}
