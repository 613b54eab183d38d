import type { Candidates } from '../content/candidates.ts'
import type { Chain } from '../content/chain.ts'
import type { Look, LookPart } from '../content/look.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { TargetGroup } from './target-group.ts'
import type { TargetSource } from './target-source.ts'

/** Rules of a phase that begin with a look at the same targets, and that literals can rule out. */
export interface GroupRules {
  readonly group: TargetGroup
  /** Places of the rules in the phase, and the numbers of their patterns. */
  readonly rules: { readonly place: number; readonly pattern: number }[]
}

/**
 * Strikes out the rules of some groups that none of their targets can match. Each source is looked at once for all groups that read it, and
 * a value that comes again in other transactions remembers what all of them together can find in it.
 */
export class Preselection {
  readonly #looks: readonly { readonly source: TargetSource; readonly look: Look }[]
  /** All rules of the groups; bit `n & 31` of word `n >>> 5` is the rule at place `n`. */
  readonly #places: Uint32Array
  /** Of each pattern, the place of its rule. */
  readonly #placeOf: Uint16Array
  readonly #found: Uint32Array

  /** @param ruleCount of the phase */
  constructor(groups: readonly GroupRules[], candidates: Candidates, ruleCount: number) {
    this.#looks = looksOf(groups, candidates)
    this.#places = new Uint32Array((ruleCount + 31) >>> 5)
    this.#placeOf = new Uint16Array(32 * candidates.words)
    this.#found = new Uint32Array(candidates.words)
    for (const { place, pattern } of groups.flatMap(({ rules }) => rules)) {
      setBit(this.#places, place)
      this.#placeOf[pattern] = place
    }
  }

  /** @param worthwhile the rules of the phase, by their places; those that cannot match are taken out of it */
  strikeOut(worthwhile: Uint32Array, inspection: Inspection): void {
    const candidates = this.#found
    candidates.fill(0)
    for (const { source, look } of this.#looks) {
      for (const { content } of source.targets(inspection)) content.addCandidates(look, candidates)
    }
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

function setBit(words: Uint32Array, bit: number): void {
  words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31))
}

function looksOf(groups: readonly GroupRules[], candidates: Candidates) {
  const partsBySource = new Map<TargetSource, LookPart[]>()
  for (const { group, rules } of groups) {
    for (const source of new Set(group.sources)) {
      const parts = partsBySource.get(source) ?? []
      partsBySource.set(source, parts)
      const part = partFor(group, parts, candidates.words)
      for (const { pattern } of rules) setBit(part.patterns, pattern)
    }
  }
  return Array.from(partsBySource, ([source, parts]) => ({ source, look: { candidates, parts } }))
}

/** The part with which a group shares what the transformations make, or a new one. */
function partFor({ chain, isMultiMatch }: TargetGroup, parts: LookPart[], words: number): LookPart {
  const part = parts.find(
    (one) => haveSameLiterals(one.chain, chain) && (one.atEveryStage === isMultiMatch || isAsItIs(one.chain)),
  )
  if (part !== undefined) return part
  const newPart = { chain, atEveryStage: isMultiMatch, patterns: new Uint32Array(words) }
  parts.push(newPart)
  return newPart
}

function isAsItIs({ featureMaskBeyondCase }: Chain): boolean {
  return featureMaskBeyondCase === 0
}

/** Whether what two chains make of a value differs in the case of letters at most. */
function haveSameLiterals(one: Chain, other: Chain): boolean {
  const [ofOne, ofOther] = [beforeCase(one), beforeCase(other)]
  return (
    ofOne.length === ofOther.length && ofOne.every((transformation, at) => transformation === ofOther[at])
  )
}

/** The transformations up to the last that changes more than the case of letters. */
function beforeCase({ transformations }: Chain): Chain['transformations'] {
  const last = transformations.findLastIndex(({ changesOnlyCase }) => changesOnlyCase !== true)
  return transformations.slice(0, last + 1)
}
