import { type Candidates, noCandidates } from '../content/candidates.ts'
import type { Chain } from '../content/content.ts'
import type { KeySelector } from '../content/key-selector.ts'
import type { Target } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { readVariable, type Variable } from '../variables/variable.ts'

/**
 * A variable, or its values of one key: what rules read before they leave any of it out. Rules that read the same share one
 * source, so that one look at it within a phase does for all of them.
 */
export class TargetSource {
  readonly variable: Variable
  readonly #key: KeySelector | undefined
  readonly #slot: number

  /** @param slot its place in what an inspection remembers */
  constructor(variable: Variable, key: KeySelector | undefined, slot: number) {
    this.variable = variable
    this.#key = key
    this.#slot = slot
  }

  /** The one key whose values are meant, in lower case; undefined where more are. */
  get lowerKey(): string | undefined {
    return this.#key?.only
  }

  targets(inspection: Inspection): readonly Target[] {
    const collection = readVariable(this.variable, inspection)
    return this.#key === undefined ? collection.all() : this.#key.select(collection)
  }

  /** The patterns that some of the values can match after a chain. To be asked only where values are the same all through a phase. */
  candidateSet(inspection: Inspection, candidates: Candidates, chain: Chain, atEveryStage: boolean): number {
    const earlierScan = inspection.remembered(this.#slot) as SourceScan | undefined
    const scan =
      earlierScan ?? inspection.remember(this.#slot, new SourceScan(this.targets(inspection), candidates))
    return atEveryStage ? scan.afterEveryStage(chain) : scan.after(chain)
  }
}

/** What one look at the values of a source shows, within a phase. */
class SourceScan {
  readonly #targets: readonly Target[]
  readonly #candidates: Candidates
  #features: number | undefined
  /** Made when it is needed, which is seldom. */
  #sets: Map<Chain, number> | undefined
  #untransformed: number | undefined

  constructor(targets: readonly Target[], candidates: Candidates) {
    this.#targets = targets
    this.#candidates = candidates
  }

  after(chain: Chain): number {
    if (!this.#isChangedBy(chain)) return this.#asTheyAre()
    const set = this.#sets?.get(chain)
    if (set !== undefined) return set
    let union = noCandidates
    for (const { content } of this.#targets) {
      union = this.#candidates.union(union, content.candidateSetAfter(chain, this.#candidates))
    }
    this.#sets ??= new Map()
    this.#sets.set(chain, union)
    return union
  }

  /** Few rules ask for this, each for another chain. */
  afterEveryStage(chain: Chain): number {
    if (!this.#isChangedBy(chain)) return this.#asTheyAre()
    let union = noCandidates
    for (const { content } of this.#targets) {
      union = this.#candidates.union(union, content.candidateSetAtEveryStage(chain, this.#candidates))
    }
    return union
  }

  #isChangedBy(chain: Chain): boolean {
    const { featureMask } = chain
    const [first, second] = this.#targets
    if (second === undefined) return first?.content.isChangedBy(chain) === true
    if (featureMask === 0) return false
    this.#features ??= this.#targets.reduce((features, { content }) => features | content.features, 0)
    return (this.#features & featureMask) !== 0
  }

  #asTheyAre(): number {
    if (this.#untransformed !== undefined) return this.#untransformed
    let union = noCandidates
    for (const { content } of this.#targets) {
      union = this.#candidates.union(union, content.candidateSet(this.#candidates))
    }
    this.#untransformed = union
    return union
  }
}
