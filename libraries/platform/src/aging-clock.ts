import type { Clock } from './clock.ts'

/** A clock that leaps by less while the server runs was corrected. */
const leapMinMs = 3_600_000
/** A clock that is ahead by less at a start may be right: a machine is off over night, or from Friday to Monday. */
const leapAtStartMinMs = 3 * 86_400_000
/** So long the server has to run with a clock that was set ahead until what is old by it is deleted. */
const believedAfterMs = 86_400_000

/** What an aging clock knows, for the next start. */
export interface AgingState {
  /** What the clock said when it was looked at last. */
  readonly seenMs: number
  /** By how much it had leapt; negative when it was set back. */
  readonly aheadMs: number
  /** How long that was still to be doubted. */
  readonly doubtedMs: number
}

/**
 * The clock by which what is old is deleted for good. After a leap ahead of an hour or more, or of three days at a start, it goes on as if there had been none,
 * until the server has run for a day with it: a clock that is wrong by years would otherwise delete within a second what was to be
 * kept for years, and putting it right brings nothing back. A machine that was off for longer, or suspended, counts as a leap: what is
 * due then goes a day later.
 *
 * It has to be asked now and then: leaps are seen by comparing with a clock that nobody sets.
 */
export class AgingClock implements Clock {
  readonly #clock: Clock
  readonly #steadyMs: () => number
  readonly #onLeap: (aheadMs: number) => void
  #seenMs: number
  #seenAtSteadyMs: number
  #aheadMs: number
  #believedAtSteadyMs: number

  /**
   * @param deps.last what it knew before the last stop; undefined at a first start
   * @param deps.steadyMs a clock that nobody sets
   * @param deps.onLeap told by how much the clock was set ahead while the server ran
   */
  constructor(deps: {
    clock: Clock
    last?: AgingState | undefined
    steadyMs?: () => number
    onLeap?: (aheadMs: number) => void
  }) {
    this.#clock = deps.clock
    const { steadyMs = () => performance.now() } = deps
    // Times are whole milliseconds for whoever asks.
    this.#steadyMs = () => Math.round(steadyMs())
    this.#onLeap = () => {}
    this.#seenAtSteadyMs = this.#steadyMs()
    this.#seenMs = deps.last?.seenMs ?? this.#clock.now()
    this.#aheadMs = deps.last?.aheadMs ?? 0
    this.#believedAtSteadyMs = this.#seenAtSteadyMs + (deps.last?.doubtedMs ?? 0)
    this.#look(leapAtStartMinMs)
    this.#onLeap = deps.onLeap ?? this.#onLeap
  }

  now(): number {
    this.#look()
    return this.#seenMs - this.aheadMs
  }

  /** By how much the system's clock is ahead of this one. */
  get aheadMs(): number {
    return Math.max(0, this.#aheadMs)
  }

  get state(): AgingState {
    this.#look()
    const doubtedMs = Math.max(0, this.#believedAtSteadyMs - this.#seenAtSteadyMs)
    return { seenMs: this.#seenMs, aheadMs: this.#aheadMs, doubtedMs }
  }

  #look(leapAheadMinMs = leapMinMs): void {
    const now = this.#clock.now()
    const steadyMs = this.#steadyMs()
    const leapMs = now - this.#seenMs - (steadyMs - this.#seenAtSteadyMs)
    this.#seenMs = now
    this.#seenAtSteadyMs = steadyMs
    if (steadyMs >= this.#believedAtSteadyMs) this.#aheadMs = 0
    if (leapMs < leapAheadMinMs && leapMs > -leapMinMs) return
    this.#aheadMs += leapMs
    this.#believedAtSteadyMs = steadyMs + believedAfterMs
    if (leapMs > 0) this.#onLeap(this.#aheadMs)
  }
}
