import { Candidates } from '../content/candidates.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { Prefilter } from '../matching/index.ts'
import type { Rule } from './rule.ts'
import type { TargetGroup } from './target-group.ts'

/** The rules of a phase that begin with a look at the same targets, and that literals can rule out. */
interface GroupRules {
  readonly group: TargetGroup
  /** Places of the rules in the phase, and the numbers of their patterns. */
  readonly rules: { readonly place: number; readonly pattern: number }[]
  /** The round in which it was last said which of them can match. */
  decidedIn: number
}

/**
 * Says which rules of a phase are worth running. At first all are; when the turn comes to one whose targets have not been looked
 * at yet, one look strikes out all rules about these targets that cannot match.
 */
export class Schedule {
  readonly candidates: Candidates
  readonly #groups: readonly (GroupRules | undefined)[]
  readonly #count: number
  /** Bit `n & 31` of word `n >>> 5` is rule `n`. */
  readonly #worthwhile: Uint32Array

  constructor(rules: readonly Rule[], prefilter: Prefilter) {
    this.candidates = new Candidates(prefilter)
    this.#groups = groupsOf(rules)
    this.#count = rules.length
    this.#worthwhile = new Uint32Array((rules.length + 31) >>> 5)
  }

  /** To be called before a run of the phase. */
  begin(): void {
    this.candidates.begin()
    this.#worthwhile.fill(0xffffffff)
  }

  /** The place of the first rule from `place` on that is to be run; the number of rules when there is none. */
  next(place: number, inspection: Inspection): number {
    for (let at = this.#find(place); at < this.#count; at = this.#find(at + 1)) {
      const group = this.#groups[at]
      if (group === undefined || group.decidedIn === this.candidates.round) return at
      this.#decide(group, inspection)
      if (this.#isWorthwhile(at)) return at
    }
    return this.#count
  }

  #decide(group: GroupRules, inspection: Inspection): void {
    group.decidedIn = this.candidates.round
    const set = group.group.candidateSet(inspection, this.candidates)
    for (const { place, pattern } of group.rules) {
      if (!this.candidates.has(set, pattern)) this.#strikeOut(place)
    }
  }

  #find(from: number): number {
    const words = this.#worthwhile
    let word = from >>> 5
    let bits = (words[word] ?? 0) & (0xffffffff << (from & 31))
    while (bits === 0) {
      if (++word >= words.length) return this.#count
      bits = words[word] ?? 0
    }
    return (word << 5) + 31 - Math.clz32(bits & -bits)
  }

  #isWorthwhile(place: number): boolean {
    return (((this.#worthwhile[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1
  }

  #strikeOut(place: number): void {
    const word = place >>> 5
    this.#worthwhile[word] = (this.#worthwhile[word] ?? 0) & ~(1 << (place & 31))
  }
}

/** For each rule its group; undefined when it always runs. */
function groupsOf(rules: readonly Rule[]): readonly (GroupRules | undefined)[] {
  const groups = new Map<TargetGroup, GroupRules>()
  return rules.map(({ links }, place) => {
    const test = links[0]?.test
    if (test?.prefilterNumber === undefined || !test.group.canTellCandidates) return undefined
    const ofGroup = groups.get(test.group) ?? { group: test.group, rules: [], decidedIn: 0 }
    groups.set(test.group, ofGroup)
    ofGroup.rules.push({ place, pattern: test.prefilterNumber })
    return ofGroup
  })
}
