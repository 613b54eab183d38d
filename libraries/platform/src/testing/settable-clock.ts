import type { Clock } from '../clock.ts'

/** A clock that stands still until it is moved. */
export function settableClock(startMs = Date.UTC(2030, 0, 1)): Clock & { advance(ms: number): void } {
  let now = startMs
  return {
    now: () => now,
    advance: (ms) => {
      now += ms
    },
  }
}
