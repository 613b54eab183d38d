/** An hour in milliseconds. */
export const hourMs = 3_600_000
/** A day of UTC in milliseconds. */
export const dayMs = 24 * hourMs

/** The lengths of the blocks that statistics are asked for in, and how many at most (reference, B.5). */
export const periods = {
  '1h': { blockMs: hourMs, countMax: 168 },
  '24h': { blockMs: dayMs, countMax: 30 },
} as const

/** The length of a block of statistics. */
export type Period = keyof typeof periods

/** A row of blocks, in milliseconds since 1970: whole hours or days of UTC. */
export interface Blocks {
  readonly blockMs: number
  readonly from: number
  /** No longer part of it. */
  readonly until: number
}

/** The last blocks, that which is under way among them. */
export function lastBlocks(period: Period, count: number, now: number): Blocks {
  const { blockMs } = periods[period]
  const until = startOfBlock(now, blockMs) + blockMs
  return { blockMs, from: until - count * blockMs, until }
}

/** When the block began that a time belongs to. */
export function startOfBlock(time: number, blockMs: number): number {
  return time - (time % blockMs)
}

/** From when on something can be asked for: days reach back further than hours. */
export function shownSince(now: number): number {
  return lastBlocks('24h', periods['24h'].countMax, now).from
}
