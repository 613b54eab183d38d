import type { KeySelector } from '../content/key-selector.ts'
import type { Target } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { readVariable, type Variable } from '../variables/variable.ts'

/**
 * A variable, or its values of one key: what rules read before they leave any of it out. Rules that read the same share one
 * source, so that one look at it does for all of them.
 */
export class TargetSource {
  readonly variable: Variable
  readonly #key: KeySelector | undefined

  constructor(variable: Variable, key: KeySelector | undefined) {
    this.variable = variable
    this.#key = key
  }

  /** The one key whose values are meant, in lower case; undefined where more are. */
  get lowerKey(): string | undefined {
    return this.#key?.only
  }

  targets(inspection: Inspection): readonly Target[] {
    const collection = readVariable(this.variable, inspection)
    return this.#key === undefined ? collection.all() : this.#key.select(collection)
  }
}
