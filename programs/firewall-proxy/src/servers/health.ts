import type { SnapshotHealth } from '@palisade/proxy-protocol'

/** Why a request got no answer: the connection was refused, it took too long, or something else. */
export type FailureKind = 'refused' | 'timeout' | 'other'

/** A server that could not be used is passed over for this long, as long as there are others. */
const restMs = 5_000

const serverErrorMin = 500

/**
 * How a server fares, as traffic and probes have shown it. A server that cannot be reached rests for a moment; after as many
 * failures in a row as it may have, it is down: until a probe finds it well where there are probes, else until it has rested and a
 * request is tried.
 */
export class Health {
  readonly #limits: SnapshotHealth
  readonly #now: () => number
  readonly #inARow = { refused: 0, timeout: 0, other: 0, httpError: 0 }
  #failure: string | undefined
  #isKnown = false
  #isDown = false
  #restsUntil = 0

  /** @param now in milliseconds since 1970 */
  constructor(limits: SnapshotHealth, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** Whether it is worth trying. */
  get isUsable(): boolean {
    if (this.#isDown && this.#limits.probe) return false
    return this.#now() >= this.#restsUntil
  }

  /** Why the server could not be used; undefined when it could, or has not been tried. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Whether traffic or a probe has shown how it fares. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  /** @returns whether the server went up or down by that */
  answered(status: number): boolean {
    const { httpErrorsMax } = this.#limits
    if (status < serverErrorMin || httpErrorsMax === 0) return this.#isWell()
    this.#inARow.httpError++
    if (this.#inARow.httpError < httpErrorsMax) return false
    return this.#goesDown(`It answered ${this.#inARow.httpError} requests in a row with an error.`)
  }

  /** @returns whether the server went up or down by that */
  failed(kind: FailureKind, reason: string): boolean {
    const { refusedMax, timeoutsMax, otherFailuresMax } = this.#limits
    const max = { refused: refusedMax, timeout: timeoutsMax, other: otherFailuresMax }[kind]
    this.#inARow[kind]++
    if (max > 0 && this.#inARow[kind] >= max) return this.#goesDown(reason)
    // The others answer, if late or badly: only who cannot be reached rests at once.
    return kind === 'refused' && this.#rests(reason)
  }

  /** @param failure why it did not answer a probe as it should; undefined when it did. @returns whether the server went up or down by that */
  probed(failure: string | undefined): boolean {
    return failure === undefined ? this.#isWell() : this.#goesDown(failure)
  }

  #isWell(): boolean {
    const isNews = !this.#isKnown || this.#failure !== undefined
    Object.assign(this.#inARow, { refused: 0, timeout: 0, other: 0, httpError: 0 })
    this.#isKnown = true
    this.#isDown = false
    this.#failure = undefined
    this.#restsUntil = 0
    return isNews
  }

  #goesDown(reason: string): boolean {
    this.#isDown = true
    return this.#rests(reason)
  }

  #rests(reason: string): boolean {
    const isNews = this.#failure !== reason
    this.#isKnown = true
    this.#failure = reason
    this.#restsUntil = this.#now() + restMs
    return isNews
  }
}
