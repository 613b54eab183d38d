import type { TargetExclusion } from '../content/target-exclusion.ts'

/** What is left out of a rule set, prepared once for any number of transactions. Made by `RuleSet.exclusions`. */
export class RuleExclusions {
  /** The indexes of rules that do not run. @internal */
  readonly removed: readonly number[]
  /** By the index of the rule. @internal */
  readonly targets: ReadonlyMap<number, readonly TargetExclusion[]>

  /** @internal */
  constructor(removed: readonly number[], targets: ReadonlyMap<number, readonly TargetExclusion[]>) {
    this.removed = removed
    this.targets = targets
  }

  /** What these and others leave out. Both are of the same rule set. */
  and(others: RuleExclusions): RuleExclusions {
    const targets = new Map(this.targets)
    for (const [index, more] of others.targets) targets.set(index, [...(targets.get(index) ?? []), ...more])
    return new RuleExclusions([...this.removed, ...others.removed], targets)
  }
}
