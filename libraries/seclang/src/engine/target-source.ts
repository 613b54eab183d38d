import { Content } from '../content/content.ts'
import type { KeySelector } from '../content/key-selector.ts'
import { plainTarget, type Target } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { readVariable, type Variable } from '../variables/variable.ts'

/**
 * A variable, or its values of one key: what rules read before they leave any of it out. Rules that read the same share one
 * source, so that one scan of it serves all of them.
 */
export class TargetSource {
  readonly variable: Variable
  /** The number of its values instead of them. */
  readonly count: TargetCount = new TargetCount(this)
  readonly #key: KeySelector | undefined

  constructor(variable: Variable, key: KeySelector | undefined) {
    this.variable = variable
    this.#key = key
  }

  /** The one key whose values are meant, in lower case; undefined where more are. */
  get lowerKey(): string | undefined {
    return this.#key?.only
  }

  /** Whether all values of the variable are meant, whatever their keys. */
  get isWhole(): boolean {
    return this.#key === undefined
  }

  targets(inspection: Inspection): readonly Target[] {
    const collection = readVariable(this.variable, inspection)
    return this.#key === undefined ? collection.all() : this.#key.select(collection)
  }
}

/** Targets of larger counts are made anew each time. */
const cachedCountsMax = 16

/** How many values a source has, as the only target. */
export class TargetCount {
  readonly #source: TargetSource
  /** Those of 0, 1 and so on are the same for all transactions, since few counts are many. */
  readonly #cachedCounts: (readonly [Target])[] = []

  constructor(source: TargetSource) {
    this.#source = source
  }

  targets(inspection: Inspection): readonly [Target] {
    return this.of(this.#source.targets(inspection))
  }

  /** The number of some of its values. */
  of(targets: readonly Target[]): readonly [Target] {
    const count = targets.reduce((number, { isReading }) => (isReading ? number : number + 1), 0)
    const cached = this.#cachedCounts[count]
    if (cached !== undefined) return cached
    const content = new Content(String(count))
    const { name } = this.#source.variable
    if (count >= cachedCountsMax) return [plainTarget(name, content)]
    const newTarget = [plainTarget(name, content.keep())] as const
    this.#cachedCounts[count] = newTarget
    return newTarget
  }
}
