import { setTimeout as sleep } from 'node:timers/promises'

/** How much may go out at once after a pause: a quarter of a second's worth. */
const burstNs = 250_000_000n
const secondNs = 1_000_000_000n

/** A limit that several threads keep together; a copy of it in another thread is the same limit. */
export interface BandwidthLimit {
  readonly bytesPerSecond: number
  /** One number, shared: the time at which the next byte is due, in nanoseconds of the process's monotonic clock. */
  readonly nextDueNs: BigInt64Array
}

/** A limit under which nothing has been sent yet. */
export function bandwidthLimit(bytesPerSecond: number): BandwidthLimit {
  return { bytesPerSecond, nextDueNs: new BigInt64Array(new SharedArrayBuffer(8)) }
}

/**
 * Waits until some bytes may go out. A token bucket, kept as the time at which it will be empty: whoever takes moves
 * that time on, and waits for the time that it found.
 *
 * Rejects with the signal's reason when that is aborted first; the bytes then count as sent.
 */
export async function takeBandwidth(
  { bytesPerSecond, nextDueNs }: BandwidthLimit,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<void> {
  const costNs = BigInt(Math.ceil((sizeBytes / bytesPerSecond) * Number(secondNs)))
  for (;;) {
    const nowNs = process.hrtime.bigint()
    const nextDue = Atomics.load(nextDueNs, 0)
    const dueNs = nextDue > nowNs - burstNs ? nextDue : nowNs - burstNs
    if (Atomics.compareExchange(nextDueNs, 0, nextDue, dueNs + costNs) !== nextDue) continue
    const waitMs = Number((dueNs - nowNs) / 1_000_000n)
    if (waitMs > 0) await sleep(waitMs, undefined, { signal })
    return
  }
}
