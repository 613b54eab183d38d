import type { TargetExclusion } from '../content/target-exclusion.ts'
import { maskWith, type RuleExclusions } from './rule-exclusions.ts'

/** What was taken out of the rules for one transaction: by the caller beforehand, and by `ctl`. */
export class RuntimeExclusions {
  #base: RuleExclusions | undefined
  readonly #rules: number
  /** What the caller left out beforehand, which other transactions share; undefined while every rule runs. */
  #removed: Readonly<Uint8Array> | undefined
  /** The same with what was left out since; takes its place once there is some. */
  #ownRemoved: Uint8Array | undefined
  readonly #targets = new Map<number, TargetExclusion[]>()

  /** @param rules how many rules the set has */
  constructor(rules: number, exclusions?: RuleExclusions) {
    this.#base = exclusions
    this.#rules = rules
    this.#removed = exclusions?.maskOf(rules)
  }

  /** Puts others in the place of those that were given. What was removed stays removed. */
  give(exclusions: RuleExclusions): void {
    this.#base = exclusions
    if (exclusions.removed.length > 0) this.removeRules(exclusions.removed)
  }

  removeRules(indexes: readonly number[]): void {
    this.#ownRemoved ??= this.#removed?.slice() ?? new Uint8Array(this.#rules)
    this.#removed = maskWith(this.#ownRemoved, indexes)
  }

  removeTarget(indexes: readonly number[], exclusion: TargetExclusion): void {
    for (const index of indexes) {
      const exclusions = this.#targets.get(index)
      if (exclusions === undefined)
        this.#targets.set(index, [...(this.#base?.targets.get(index) ?? []), exclusion])
      else exclusions.push(exclusion)
    }
  }

  /** Whether nothing was taken out of these rules. @param indexes as in {@link isRemoved} */
  spare(indexes: readonly number[]): boolean {
    if (this.#removed === undefined && this.#targets.size === 0 && this.#base === undefined) return true
    return indexes.every((index) => !this.isRemoved(index) && this.ofRule(index) === undefined)
  }

  isRemoved(index: number): boolean {
    return this.#removed?.[index] === 1
  }

  /** Undefined when the rule keeps all its targets. */
  ofRule(index: number): readonly TargetExclusion[] | undefined {
    const own = this.#targets.size === 0 ? undefined : this.#targets.get(index)
    return own ?? this.#base?.targets.get(index)
  }
}
