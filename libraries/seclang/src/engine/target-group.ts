import type { Chain } from '../content/chain.ts'
import type { Target } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { TargetList, TxVariable } from './target-list.ts'
import type { TargetSource } from './target-source.ts'

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

  /** Whether a look at the sources can tell, before the targets are read, which patterns they can match. */
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

  /** What it reads; targets that rules leave out are among it. */
  get sources(): readonly TargetSource[] {
    return this.#list.sources
  }

  targets(inspection: Inspection): readonly Target[] {
    return this.#list.targets(inspection)
  }
}
