import type { Exclusion } from './target-list.ts'

/** What `ctl` took out of the rules for one transaction. */
export class RuntimeExclusions {
  readonly #removed: Uint8Array
  readonly #targets = new Map<number, Exclusion[]>()

  /** @param rules how many rules the set has */
  constructor(rules: number) {
    this.#removed = new Uint8Array(rules)
  }

  removeRules(indexes: readonly number[]): void {
    for (const index of indexes) this.#removed[index] = 1
  }

  removeTarget(indexes: readonly number[], exclusion: Exclusion): void {
    for (const index of indexes) {
      const known = this.#targets.get(index)
      if (known === undefined) this.#targets.set(index, [exclusion])
      else known.push(exclusion)
    }
  }

  isRemoved(index: number): boolean {
    return this.#removed[index] === 1
  }

  /** Undefined when the rule keeps all its targets. */
  ofRule(index: number): readonly Exclusion[] | undefined {
    return this.#targets.size === 0 ? undefined : this.#targets.get(index)
  }
}
