import type { Prefilter } from '../matching/index.ts'
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

  targets(inspection: Inspection): readonly Target[] {
    if (!this.#list.isStable) return this.#list.collect(inspection)
    return inspection.remember(this.#list, () => this.#list.collect(inspection))
  }

  /** Whether a pattern of the prefilter can match one of the targets. Never false when it does. */
  canMatch(inspection: Inspection, prefilter: Prefilter, pattern: number): boolean {
    if (!this.#list.isStable) return true
    const bits = inspection.remember(this, () => this.#union(inspection, prefilter))
    return hasBit(bits, pattern)
  }

  #union(inspection: Inspection, prefilter: Prefilter): Uint32Array {
    const union = new Uint32Array(prefilter.words)
    for (const { content } of this.targets(inspection)) {
      const bits = content.through(this.chain).candidates(prefilter)
      for (let word = 0; word < union.length; word++) union[word] = (union[word] ?? 0) | (bits[word] ?? 0)
    }
    return union
  }
}

/** Whether bit `number` is set. */
export function hasBit(bits: Uint32Array, number: number): boolean {
  return (((bits[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1
}
