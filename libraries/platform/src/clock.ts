/** Where time comes from. Everything that ages or expires asks a clock, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

/** The system's clock, which may jump when it is set. */
export const systemClock: Clock = { now: () => Date.now() }

/** Clocks of servers that share a database agree within this. What was issued later than that is of a clock that was ahead. */
export const clocksDifferMs = 60_000
