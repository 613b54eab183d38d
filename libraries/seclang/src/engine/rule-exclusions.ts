import type { Exclusion } from './target-list.ts'

/** What is left out of a rule set, prepared once for any number of transactions. Made by `RuleSet.exclusions`. */
export class RuleExclusions {
  /** 1 at the index of each rule that does not run. */
  readonly removed: Uint8Array
  /** By the index of the rule. */
  readonly targets: ReadonlyMap<number, readonly Exclusion[]>

  constructor(removed: Uint8Array, targets: ReadonlyMap<number, readonly Exclusion[]>) {
    this.removed = removed
    this.targets = targets
  }
}
