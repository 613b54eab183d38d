import { type Candidates, noCandidates } from './candidates.ts'
import type { Chain } from './content.ts'
import type { Inspection } from './inspection.ts'
import type { Target } from './target.ts'
import type { TargetList } from './target-list.ts'

/**
 * Targets with what is to be done to them before a test. The rules that want the same share one group, so that within a phase
 * the targets are collected once, and one look says which rules none of them can match.
 */
export class TargetGroup {
  readonly chain: Chain
  readonly #list: TargetList

  constructor(list: TargetList, chain: Chain) {
    this.#list = list
    this.chain = chain
  }

  /** Whether the targets are the same all through a phase. */
  get isStable(): boolean {
    return this.#list.isStable
  }

  targets(inspection: Inspection): readonly Target[] {
    if (!this.#list.isStable) return this.#list.collect(inspection)
    return inspection.remember(this.#list, () => this.#list.collect(inspection))
  }

  /** The patterns that some of the targets can match; a pattern that is not in it matches none. Of a stable group only. */
  candidateSet(inspection: Inspection, candidates: Candidates): number {
    let union = noCandidates
    for (const { content } of this.targets(inspection)) {
      union = candidates.union(union, content.through(this.chain).candidateSet(candidates))
    }
    return union
  }
}
