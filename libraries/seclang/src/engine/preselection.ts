import type { Candidates } from '../content/candidates.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { Test } from './rule.ts'
import type { TargetGroup } from './target-group.ts'
import { type VariableLooks, variableLooksOf } from './variable-looks.ts'

/** The beginning of a rule in a phase. */
export interface PlacedTest {
  /** The place of the rule. */
  readonly place: number
  /** Its number among all patterns of the phase: those of the prefilter come first, and then those of which no literals are known. */
  readonly pattern: number
  readonly test: Test
}

/** Rules of a phase that begin with a look at the same targets. */
export interface GroupRules {
  readonly group: TargetGroup
  readonly rules: readonly PlacedTest[]
}

/**
 * Strikes out the rules of some groups that none of their targets can match. Each value is looked at once for all groups that read it, and
 * one that comes again in other transactions remembers which of all their rules it matches.
 */
export class Preselection {
  readonly #looks: readonly VariableLooks[]
  /** All rules of the groups; bit `n & 31` of word `n >>> 5` is the rule at place `n`. */
  readonly #places: Uint32Array
  /** Of each pattern, the place of its rule. */
  readonly #placeOf: Uint16Array
  readonly #found: Uint32Array

  /**
   * @param words how many 32-bit words all patterns of the phase take
   * @param ruleCount of the phase
   */
  constructor(groups: readonly GroupRules[], candidates: Candidates, words: number, ruleCount: number) {
    this.#looks = variableLooksOf(groups, candidates, words)
    this.#places = new Uint32Array((ruleCount + 31) >>> 5)
    this.#placeOf = new Uint16Array(32 * words)
    this.#found = new Uint32Array(words)
    for (const { place, pattern } of groups.flatMap(({ rules }) => rules)) {
      setBit(this.#places, place)
      this.#placeOf[pattern] = place
    }
  }

  /** @param worthwhile the rules of the phase, by their places; those that cannot match are taken out of it */
  strikeOut(worthwhile: Uint32Array, inspection: Inspection): void {
    const candidates = this.#found
    candidates.fill(0)
    for (const looks of this.#looks) looks.addCandidates(candidates, inspection)
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

/** Sets bit `n & 31` of word `n >>> 5`. */
export function setBit(words: Uint32Array, bit: number): void {
  words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31))
}
