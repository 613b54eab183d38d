interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number
  calls: number
}

/**
 * Counts calls within the last so many milliseconds, exactly: a call at t is counted while the clock shows less
 * than t + length. One entry for each millisecond in which there was a call. A call that lies further ahead than the
 * length was made while the clock was wrong, and is forgotten.
 */
export class SlidingWindow {
  readonly #lengthMs: number
  /** In the order of their times. */
  #moments: Moment[] = []
  #total = 0

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs
  }

  /** Adds calls. Cheapest when they are the newest, which they nearly always are. */
  add(at: number, calls: number): void {
    this.#total += calls
    const before = this.#moments.findLastIndex((moment) => moment.at <= at)
    const previous = this.#moments[before]
    if (previous?.at === at) previous.calls += calls
    else this.#moments.splice(before + 1, 0, { at, calls })
  }

  /** How many of the calls lie in the window that ends now. */
  count(now: number): number {
    const first = this.#moments.findIndex((moment) => moment.at > now - this.#lengthMs)
    this.#forget(0, first === -1 ? this.#moments.length : first)
    const last = this.#moments.findLastIndex((moment) => moment.at <= now + this.#lengthMs)
    this.#forget(last + 1, this.#moments.length)
    return this.#total
  }

  /** From when on fewer than `limit` calls are counted, if none is added: now, or a time to come. */
  roomAt(limit: number, now: number): number {
    let remaining = this.count(now)
    for (const { at, calls } of this.#moments) {
      if (remaining < limit) break
      remaining -= calls
      if (remaining < limit) return at + this.#lengthMs
    }
    return now
  }

  #forget(start: number, end: number): void {
    if (start === end) return
    for (const { calls } of this.#moments.splice(start, end - start)) this.#total -= calls
  }
}
