import type { Clock } from '../clock.ts'
import { networkName } from '../http/client-address.ts'
import { RequestRefused, tooManyRequests } from '../refusal.ts'
import { SlidingWindow } from '../sliding-window.ts'

/** Failures that one source may have within the window before it has to wait. */
export const failuresMax = 30
/** Failures count for fifteen minutes. */
export const failureWindowMs = 15 * 60 * 1000

/** How often one source may fail, and within which time. */
export interface FailureLimit {
  readonly failuresMax: number
  readonly windowMs: number
}

/** Sources that are remembered at most; beyond, the one that was first seen is forgotten. */
const sourcesMax = 100_000

interface Source {
  readonly failures: SlidingWindow
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Makes guessing slow: each client address may fail so many times, thirty in fifteen minutes unless said otherwise,
 * and is then answered 429, whatever it sends. Of an IPv6 address the network (/64) counts, which one customer usually has to himself.
 *
 * Attempts at the same moment do not get around it: no more of them run than failures are left, the others
 * wait for their ends. So a crowd of correct logins is served in turn, and none of it is refused.
 */
export class FailedLogins {
  readonly #clock: Clock
  readonly #limit: FailureLimit
  readonly #sources = new Map<string, Source>()

  constructor(clock: Clock, limit: FailureLimit = { failuresMax, windowMs: failureWindowMs }) {
    this.#clock = clock
    this.#limit = limit
  }

  /**
   * Runs one login. It has failed when it throws a refusal with the code `unauthenticated`.
   *
   * @throws RequestRefused too-many-requests when the address has failed too often; then nothing was run
   */
  async attempt<T>(address: string, login: () => Promise<T>): Promise<T> {
    const source = this.#sourceOf(address)
    await this.#begin(source)
    try {
      return await login()
    } catch (error) {
      if (error instanceof RequestRefused && error.code === 'unauthenticated') {
        source.failures.add(this.#clock.now(), 1)
      }
      throw error
    } finally {
      source.running--
      for (const wake of source.waiting.splice(0)) wake()
    }
  }

  /** Counts the attempt as running, at once or when its turn has come. */
  async #begin(source: Source): Promise<void> {
    const { failuresMax: most } = this.#limit
    for (;;) {
      const now = this.#clock.now()
      const failed = source.failures.count(now)
      if (failed >= most) {
        const waitMs = source.failures.roomAt(most, now) - now
        throw tooManyRequests(
          'Too many failed authentications from this address. Wait and try again.',
          waitMs,
        )
      }
      if (failed + source.running < most) {
        source.running++
        return
      }
      await new Promise<void>((resolve) => source.waiting.push(resolve))
    }
  }

  #sourceOf(address: string): Source {
    const name = networkName(address)
    const source = this.#sources.get(name)
    if (source) return source
    const newSource = { failures: new SlidingWindow(this.#limit.windowMs), running: 0, waiting: [] }
    const [oldest] = this.#sources.keys()
    if (oldest !== undefined && this.#sources.size >= sourcesMax) this.#sources.delete(oldest)
    this.#sources.set(name, newSource)
    return newSource
  }
}
