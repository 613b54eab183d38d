import type { Candidates } from './candidates.ts'
import type { Chain } from './chain.ts'

/** The patterns that are compared with what a chain makes of values. */
export interface LookPart {
  readonly chain: Chain
  /** Whether they are compared with every stage of it, and not only with the last. */
  readonly atEveryStage: boolean
  /** Bit `n & 31` of word `n >>> 5` is pattern `n`. */
  readonly patterns: Uint32Array
}

/** What one look at a value is to tell: which of these patterns it can match. */
export interface LiteralLook {
  readonly candidates: Candidates
  readonly parts: readonly LookPart[]
  /** The patterns of which no literals are known, so that any value may match them. As many words as whoever looks has for all patterns. */
  readonly unfiltered: Uint32Array
}
