import type { Candidates } from './candidates.ts'
import type { Chain } from './chain.ts'

/** The patterns that are compared with what a chain makes of values. */
export interface ScanPart {
  readonly chain: Chain
  /** Whether they are compared with every stage of it, and not only with the last. */
  readonly atEveryStage: boolean
  /** Bit `n & 31` of word `n >>> 5` is pattern `n`. */
  readonly patterns: Uint32Array
}

/** The patterns whose literals one scan of a value searches for, to tell which of them it can match. */
export interface LiteralScan {
  readonly candidates: Candidates
  readonly parts: readonly ScanPart[]
  /** The patterns of which no literals are known, so that any value may match them. As many words as all patterns of the caller take. */
  readonly unfiltered: Uint32Array
}
