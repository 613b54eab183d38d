import type { TargetExclusion } from '../content/target-exclusion.ts'

/** What is left out of a rule set, prepared once for any number of transactions. Made by `RuleSet.exclusions`. */
export class RuleExclusions {
  /** The indexes of rules that do not run. @internal */
  readonly removed: readonly number[]
  /** By the index of the rule. @internal */
  readonly targets: ReadonlyMap<number, readonly TargetExclusion[]>
  #mask: Uint8Array | undefined

  /** @internal */
  constructor(removed: readonly number[], targets: ReadonlyMap<number, readonly TargetExclusion[]>) {
    this.removed = removed
    this.targets = targets
  }

  /**
   * The rules that do not run, as transactions share it: 1 at the index of each; undefined where all run.
   *
   * @param rules how many rules the set has
   * @internal
   */
  maskOf(rules: number): Readonly<Uint8Array> | undefined {
    if (this.removed.length === 0) return undefined
    this.#mask ??= maskWith(new Uint8Array(rules), this.removed)
    return this.#mask
  }

  /** What these and others leave out. Both are of the same rule set. */
  and(others: RuleExclusions): RuleExclusions {
    const targets = new Map(this.targets)
    for (const [index, more] of others.targets) targets.set(index, [...(targets.get(index) ?? []), ...more])
    return new RuleExclusions([...this.removed, ...others.removed], targets)
  }
}

/** Puts 1 at each of the indexes. @returns the same mask */
export function maskWith(mask: Uint8Array, indexes: readonly number[]): Uint8Array {
  for (const index of indexes) mask[index] = 1
  return mask
}
