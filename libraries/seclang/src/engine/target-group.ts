import type { Candidates } from '../content/candidates.ts'
import type { Chain } from '../content/content.ts'
import type { Target } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { TargetList, TxVariable } from './target-list.ts'

/**
 * Targets with what is to be done to them before a test. The rules that want the same share one group, so that within a phase
 * the targets are collected once, and one look says which rules none of them can match.
 */
export class TargetGroup {
  readonly chain: Chain
  /** Whether every stage of the transformations is tested, and not only the last. */
  readonly isMultiMatch: boolean
  readonly #list: TargetList

  constructor(list: TargetList, chain: Chain, isMultiMatch: boolean) {
    this.#list = list
    this.chain = chain
    this.isMultiMatch = isMultiMatch
  }

  /** Whether {@link candidateSet} can be told before the targets are read. */
  get canTellCandidates(): boolean {
    return this.#list.isStable && !this.#list.hasCounts
  }

  /** Whether it reads nothing but variables of TX. */
  get readsOnlyTx(): boolean {
    return this.#list.readsOnlyTx
  }

  /** The variable of TX that is all it reads; undefined where it reads more or something else. */
  get txVariable(): TxVariable | undefined {
    return this.isMultiMatch ? undefined : this.#list.txVariable
  }

  targets(inspection: Inspection): readonly Target[] {
    return this.#list.targets(inspection)
  }

  /** The patterns that some of the targets can match; a pattern that is not in it matches none. */
  candidateSet(inspection: Inspection, candidates: Candidates): number {
    return this.#list.candidateSet(inspection, candidates, this.chain, this.isMultiMatch)
  }
}
