import type { Chain } from '../content/chain.ts'
import type { Target } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { SourceRead, TargetList, TxVariable } from './target-list.ts'

/**
 * Targets with what is to be done to them before a test. The rules that want the same share one group, so that within a phase
 * the targets are collected once, and one scan says which rules none of them can match.
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

  /** Whether a scan of the sources can tell, before the targets are read, which patterns they can match. */
  get canTellCandidates(): boolean {
    return this.#list.isStable && this.#list.isReadable
  }

  /** Whether its targets are the same all through a transaction, whatever its rules do. */
  get isSettled(): boolean {
    return this.#list.isSettled
  }

  /** Whether it reads nothing but variables of TX. */
  get readsOnlyTx(): boolean {
    return this.#list.readsOnlyTx
  }

  /** The variables of TX that are all it reads; undefined where it reads something else. */
  get txVariables(): readonly TxVariable[] | undefined {
    return this.isMultiMatch ? undefined : this.#list.txVariables
  }

  /** What it reads; targets that rules leave out are among it. */
  get sources(): readonly SourceRead[] {
    return this.#list.sources
  }

  targets(inspection: Inspection): readonly Target[] {
    return this.#list.targets(inspection)
  }
}
