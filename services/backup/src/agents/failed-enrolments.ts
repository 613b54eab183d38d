import { type Clock, networkName, RequestRefused } from '@palisade/platform'

const failuresMax = 20
const windowMs = 60_000
/** Networks that are remembered at most; beyond, the one that was first seen is forgotten. */
const networksMax = 10_000

/**
 * Makes guessing of enrolment keys slow: a network (an IPv4 address, or the first 64 bits of an IPv6 address) may
 * fail twenty times a minute, and is then refused until the minute is over.
 */
export class FailedEnrolments {
  readonly #clock: Clock
  readonly #windows = new Map<string, { failures: number; readonly endsAt: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws RequestRefused too-many-requests, with Retry-After */
  assertFew(address: string): void {
    const now = this.#clock.now()
    const window = this.#windows.get(networkName(address))
    if (!window || window.endsAt <= now || window.failures < failuresMax) return
    throw new RequestRefused('too-many-requests', 'Too many enrolments from this address have failed.', {
      headers: { 'retry-after': String(Math.ceil((window.endsAt - now) / 1000)) },
    })
  }

  note(address: string): void {
    const now = this.#clock.now()
    const network = networkName(address)
    const window = this.#windows.get(network)
    if (window && window.endsAt > now) {
      window.failures++
      return
    }
    this.#windows.delete(network)
    const [oldest] = this.#windows.keys()
    if (oldest !== undefined && this.#windows.size >= networksMax) this.#windows.delete(oldest)
    this.#windows.set(network, { failures: 1, endsAt: now + windowMs })
  }
}
