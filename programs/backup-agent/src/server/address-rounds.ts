import { Backoff, type BackoffLimits } from '../backoff.ts'
import { addressInUse, type ServerAddresses } from './addresses.ts'

/**
 * What lies between attempts to reach a server: nothing while the address in use is one that was not tried in this round, then a
 * delay that grows from round to round. With one address, each attempt is a round.
 */
export class AddressRounds {
  readonly #addresses: ServerAddresses
  readonly #backoff: Backoff
  readonly #tried: Set<string>

  /** The first attempt may be made at once. */
  constructor(addresses: ServerAddresses, limits?: BackoffLimits) {
    this.#addresses = addresses
    this.#backoff = new Backoff(limits)
    this.#tried = new Set([addressInUse(addresses)])
  }

  /** Whether the address in use has been tried: after a failure, that all have. */
  get isOver(): boolean {
    return this.#tried.has(addressInUse(this.#addresses))
  }

  /** Waits for the next attempt; a delay is announced before. Rejects when the signal is aborted in a delay. */
  async wait(signal: AbortSignal, announce?: (delayMs: number) => void): Promise<void> {
    if (this.isOver) {
      await this.#backoff.wait(signal, announce)
      this.#tried.clear()
    }
    this.#tried.add(addressInUse(this.#addresses))
  }

  /** After a success: a new round begins with the address in use, and its delay is the first one again. */
  reset(): void {
    this.#backoff.reset()
    this.#tried.clear()
    this.#tried.add(addressInUse(this.#addresses))
  }
}
