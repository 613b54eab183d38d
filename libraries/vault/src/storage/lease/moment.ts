/** Both clocks: one may be set back, the other stands still while a machine is suspended. */
export interface Moment {
  readonly steadyMs: number
  readonly wallMs: number
}

export function now(): Moment {
  return { steadyMs: performance.now(), wallMs: Date.now() }
}

/** How long ago it was, by the clock that says more; in milliseconds. */
export function elapsedMs(since: Moment): number {
  return Math.max(performance.now() - since.steadyMs, Date.now() - since.wallMs)
}
