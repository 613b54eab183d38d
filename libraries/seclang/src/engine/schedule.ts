import { Candidates } from '../content/candidates.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { Prefilter } from '../matching/index.ts'
import { hasBit } from './bits.ts'
import { ClosedGates } from './closed-gates.ts'
import { Preselection } from './preselection.ts'
import type { Rule } from './rule.ts'
import type { TargetGroup } from './target-group.ts'
import type { GroupRules, PlacedTest } from './variable-scans.ts'

/** A group that so many runs of the phase came to is looked at from the beginning of all later ones. */
const runsUntilUsual = 32

/** The rules of one group, and when they were looked at. */
class ScheduledGroup implements GroupRules {
  readonly group: TargetGroup
  readonly rules: PlacedTest[] = []
  /** The round in which it was last said which of them can match. */
  decidedIn = 0
  /** In how many rounds that was said of this group alone. */
  lateRounds = 0
  /** Of this group alone. */
  preselection: Preselection | undefined

  constructor(group: TargetGroup) {
    this.group = group
  }
}

/**
 * Says which rules of a phase are worth running. At first all are. The groups of rules that transactions usually come to are judged together
 * when the phase begins, which strikes out all rules that cannot match; any other group when the turn comes to its first rule. Rules with gates
 * are judged together when the turn comes to the first of them, and again when what they ask for has changed.
 */
export class Schedule {
  readonly candidates: Candidates
  readonly #groups: readonly (ScheduledGroup | undefined)[]
  /** How many 32-bit words all patterns take. */
  readonly #words: number
  readonly #count: number
  /** Whether rules change within the phase what others read of the request, so that no group of which that is true may be looked at too early. */
  readonly #changesValues: boolean
  /** Bit `n & 31` of word `n >>> 5` is rule `n`. */
  readonly #worthwhile: Uint32Array
  #usual: readonly ScheduledGroup[] = []
  #preselection: Preselection | undefined
  #isPreselectionOld = false
  readonly #gates: ClosedGates
  /** Those of TX when the gates were asked. */
  #changes = 0
  #areGatesAsked = false

  constructor(rules: readonly Rule[], prefilter: Prefilter) {
    this.candidates = new Candidates(prefilter)
    const { groups, patterns } = groupsOf(rules, 32 * this.candidates.words)
    this.#groups = groups
    this.#words = (patterns + 31) >>> 5
    this.#count = rules.length
    this.#changesValues = rules.some(({ links }) =>
      links.some(({ effects }) => effects.some(({ changesValues }) => changesValues === true)),
    )
    this.#worthwhile = new Uint32Array((rules.length + 31) >>> 5)
    this.#gates = new ClosedGates(rules)
  }

  /** To be called before a run of the phase. */
  begin(inspection: Inspection): void {
    this.candidates.begin()
    this.#worthwhile.fill(0xffffffff)
    this.#areGatesAsked = false
    if (this.#isPreselectionOld) this.#renewPreselection()
    if (this.#preselection === undefined || inspection.ruleEngine === 'off') return
    for (const group of this.#usual) group.decidedIn = this.candidates.round
    this.#preselection.strikeOut(this.#worthwhile, inspection)
  }

  /** The place of the first rule from `place` on that is to be run; the number of rules when there is none. */
  next(place: number, inspection: Inspection): number {
    const { tx } = inspection
    if (this.#areGatesAsked && tx.changes !== this.#changes) {
      this.#gates.open(this.#worthwhile)
      this.#areGatesAsked = false
    }
    for (let at = this.#nextWorthwhile(place); at < this.#count; at = this.#nextWorthwhile(at + 1)) {
      const group = this.#groups[at]
      if (group !== undefined) {
        if (group.decidedIn === this.candidates.round) return at
        this.#decide(group, inspection)
      } else {
        if (this.#areGatesAsked || !this.#gates.has(at)) return at
        this.#gates.strikeOut(this.#worthwhile, tx)
        this.#areGatesAsked = true
        this.#changes = tx.changes
      }
      if (hasBit(this.#worthwhile, at)) return at
    }
    return this.#count
  }

  #decide(group: ScheduledGroup, inspection: Inspection): void {
    group.decidedIn = this.candidates.round
    group.preselection ??= new Preselection([group], this.candidates, this.#words, this.#count)
    group.preselection.strikeOut(this.#worthwhile, inspection)
    group.lateRounds++
    if (group.lateRounds === runsUntilUsual && this.#mayComeEarly(group)) this.#isPreselectionOld = true
  }

  #renewPreselection(): void {
    this.#isPreselectionOld = false
    this.#usual = [...new Set(this.#groups)]
      .filter((group) => group !== undefined)
      .filter((group) => group.lateRounds >= runsUntilUsual && this.#mayComeEarly(group))
    this.#preselection = new Preselection(this.#usual, this.candidates, this.#words, this.#count)
  }

  #mayComeEarly({ group }: ScheduledGroup): boolean {
    return !this.#changesValues || group.isSettled
  }

  #nextWorthwhile(from: number): number {
    const words = this.#worthwhile
    let word = from >>> 5
    let bits = (words[word] ?? 0) & (0xffffffff << (from & 31))
    while (bits === 0) {
      if (++word >= words.length) return this.#count
      bits = words[word] ?? 0
    }
    return (word << 5) + 31 - Math.clz32(bits & -bits)
  }
}

/**
 * For each rule its group; undefined when it always runs.
 *
 * @param filtered how many numbers are left to the patterns of the prefilter
 * @returns beside that how many patterns there are with those that the prefilter does not have
 */
function groupsOf(rules: readonly Rule[], filtered: number) {
  const groups = new Map<TargetGroup, ScheduledGroup>()
  let patterns = filtered
  const ofRules = rules.map(({ links }, place) => {
    const test = links[0]?.test
    if (test === undefined || !test.group.canTellCandidates) return undefined
    const ofGroup = groups.get(test.group) ?? new ScheduledGroup(test.group)
    groups.set(test.group, ofGroup)
    ofGroup.rules.push({ place, pattern: test.prefilterNumber ?? patterns++, test })
    return ofGroup
  })
  return { groups: ofRules, patterns }
}
