import type { Candidates } from '../content/candidates.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { setBit } from './bits.ts'
import { type GroupRules, type VariableScans, variableScansOf } from './variable-scans.ts'

/**
 * Strikes out the rules of some groups that none of their targets can match. Each value is looked at once for all groups that read it, and
 * one that comes again in other transactions remembers which of all their rules it matches.
 */
export class Preselection {
  readonly #scans: readonly VariableScans[]
  /** All rules of the groups; bit `n & 31` of word `n >>> 5` is the rule at place `n`. */
  readonly #places: Uint32Array
  /** Of each pattern, the place of its rule. */
  readonly #placeOf: Uint16Array
  readonly #patternSet: Uint32Array

  /**
   * @param words how many 32-bit words all patterns of the phase take
   * @param ruleCount of the phase
   */
  constructor(groups: readonly GroupRules[], candidates: Candidates, words: number, ruleCount: number) {
    this.#scans = variableScansOf(groups, candidates, words)
    this.#places = new Uint32Array((ruleCount + 31) >>> 5)
    this.#placeOf = new Uint16Array(32 * words)
    this.#patternSet = new Uint32Array(words)
    for (const { place, pattern } of groups.flatMap(({ rules }) => rules)) {
      setBit(this.#places, place)
      this.#placeOf[pattern] = place
    }
  }

  /** @param worthwhile the rules of the phase, by their places; those that cannot match are taken out of it */
  strikeOut(worthwhile: Uint32Array, inspection: Inspection): void {
    const candidates = this.#patternSet
    candidates.fill(0)
    for (const scan of this.#scans) scan.addCandidates(candidates, inspection)
    for (let word = 0; word < worthwhile.length; word++) {
      worthwhile[word] = (worthwhile[word] ?? 0) & ~(this.#places[word] ?? 0)
    }
    for (let word = 0; word < candidates.length; word++) {
      for (let bits = candidates[word] ?? 0; bits !== 0; bits &= bits - 1) {
        const pattern = (word << 5) + 31 - Math.clz32(bits & -bits)
        setBit(worthwhile, this.#placeOf[pattern] ?? 0)
      }
    }
  }
}
