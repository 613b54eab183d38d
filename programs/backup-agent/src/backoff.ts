import { setTimeout as sleep } from 'node:timers/promises'

/** How long to wait between attempts: doubling from the first to the largest delay. */
export interface BackoffLimits {
  readonly firstMs: number
  readonly largestMs: number
}

/** Half a second to fifteen: soon enough to go unnoticed, slow enough for a server that just came up. */
export const backoffLimits: BackoffLimits = { firstMs: 500, largestMs: 15_000 }

/**
 * Growing, jittered delays. The jitter takes up to half of a delay away, so that a thousand agents which lost
 * the same server do not come back in the same moment.
 */
export class Backoff {
  readonly #limits: BackoffLimits
  #nextMs: number

  constructor(limits: BackoffLimits = backoffLimits) {
    this.#limits = limits
    this.#nextMs = limits.firstMs
  }

  /** Waits for the next delay, which is announced before. Rejects when the signal is aborted. */
  async wait(signal: AbortSignal, announce: (delayMs: number) => void = () => {}): Promise<void> {
    const delayMs = this.takeDelayMs()
    announce(delayMs)
    await sleep(delayMs, undefined, { signal })
  }

  /** How long to wait this time. */
  takeDelayMs(): number {
    const delayMs = this.#nextMs
    this.#nextMs = Math.min(delayMs * 2, this.#limits.largestMs)
    return delayMs * (1 - Math.random() / 2)
  }

  /** After a success: the next delay is the first one again. */
  reset(): void {
    this.#nextMs = this.#limits.firstMs
  }
}

/**
 * Repeats an attempt until it succeeds.
 *
 * @param options.pauses wait between attempts
 * @param options.failure says with what it has failed for good; undefined where it may still succeed
 * @throws what `failure` says, and the signal's reason
 */
export async function retry<Result>(
  attempt: () => Promise<Result>,
  options: {
    readonly signal: AbortSignal
    readonly pauses: Pick<Backoff, 'wait'>
    readonly failure: (error: unknown, spentMs: number) => unknown
  },
): Promise<Result> {
  const { signal, pauses, failure } = options
  const startedAt = performance.now()
  for (;;) {
    signal.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      const final = failure(error, performance.now() - startedAt)
      if (final !== undefined) throw final
    }
    await pauses.wait(signal)
  }
}
