import type { Candidates } from '../content/candidates.ts'
import type { Chain } from '../content/chain.ts'
import type { Content, PatternScan } from '../content/content.ts'
import type { ScanPart } from '../content/literal-scan.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { matchLimitExceeded } from '../matching/index.ts'
import { readVariable, type Variable } from '../variables/variable.ts'
import { setBit } from './bits.ts'
import type { Test } from './rule.ts'
import type { TargetGroup } from './target-group.ts'
import type { TargetSource } from './target-source.ts'

/** The beginning of a rule in a phase. */
export interface PlacedTest {
  /** The place of the rule. */
  readonly place: number
  /** Its number among all patterns of the phase: those of the prefilter come first, and then those of which no literals are known. */
  readonly pattern: number
  readonly test: Test
}

/** Rules of a phase whose first tests read the same targets. */
export interface GroupRules {
  readonly group: TargetGroup
  readonly rules: readonly PlacedTest[]
}

/** A source that is read by itself. */
interface SourceScan {
  readonly source: TargetSource
  readonly scan: PatternScan
}

/** Scans the values of one variable for all rules that read any of them, each value once. */
export class VariableScans {
  readonly #variable: Variable
  /** Of values whose keys no rule names; undefined where no rule reads those. */
  readonly #ofOthers: PatternScan | undefined
  /** By keys in lower case; patterns that are searched for in all values are among them. */
  readonly #ofKeys: ReadonlyMap<string, PatternScan>
  /** Of the keys that a pattern means. */
  readonly #ofPatterns: readonly SourceScan[]
  /** Of the numbers of values. */
  readonly #ofCounts: readonly SourceScan[]

  constructor(
    variable: Variable,
    drafts: SourceDrafts,
    makeScan: (groups: Iterable<GroupRules>) => PatternScan,
  ) {
    const { all, ofKeys, ofPatterns, ofCounts } = drafts
    const scansOf = (sources: ReadonlyMap<TargetSource, readonly GroupRules[]>) =>
      Array.from(sources, ([source, groups]) => ({ source, scan: makeScan(groups) }))
    this.#variable = variable
    this.#ofOthers = all.length === 0 ? undefined : makeScan(all)
    this.#ofKeys = new Map(
      Array.from(ofKeys, ([key, groups]) => [key, makeScan(new Set([...all, ...groups]))]),
    )
    this.#ofPatterns = scansOf(ofPatterns)
    this.#ofCounts = scansOf(ofCounts)
  }

  /** Adds to `patternSet` the patterns that values can match. */
  addCandidates(patternSet: Uint32Array, inspection: Inspection): void {
    if (this.#ofKeys.size > 0) this.#addByKeys(this.#ofKeys, patternSet, inspection)
    else if (this.#ofOthers !== undefined) this.#addOfAll(this.#ofOthers, patternSet, inspection)
    for (const { source, scan } of this.#ofPatterns) {
      for (const { content } of source.targets(inspection)) content.addCandidates(scan, patternSet)
    }
    for (const { source, scan } of this.#ofCounts) {
      for (const { content } of source.count.targets(inspection)) content.addCandidates(scan, patternSet)
    }
  }

  #addByKeys(
    ofKeys: ReadonlyMap<string, PatternScan>,
    patternSet: Uint32Array,
    inspection: Inspection,
  ): void {
    for (const { key, content } of readVariable(this.#variable, inspection).all()) {
      const scan = ofKeys.get(key.toLowerCase()) ?? this.#ofOthers
      if (scan !== undefined) content.addCandidates(scan, patternSet)
    }
  }

  #addOfAll(scan: PatternScan, patternSet: Uint32Array, inspection: Inspection): void {
    for (const { content } of readVariable(this.#variable, inspection).all())
      content.addCandidates(scan, patternSet)
  }
}

/** The groups that read a variable, by what they read of it. */
interface SourceDrafts {
  readonly all: GroupRules[]
  readonly ofKeys: Map<string, GroupRules[]>
  readonly ofPatterns: Map<TargetSource, GroupRules[]>
  readonly ofCounts: Map<TargetSource, GroupRules[]>
}

/**
 * The scans for some groups of rules, one for each variable.
 *
 * @param words how many 32-bit words all patterns of the phase take
 */
export function variableScansOf(
  groups: readonly GroupRules[],
  candidates: Candidates,
  words: number,
): readonly VariableScans[] {
  const tests = new Map(groups.flatMap(({ rules }) => rules).map(({ pattern, test }) => [pattern, test]))
  const matches = (pattern: number, content: Content) => {
    const test = tests.get(pattern)
    return test === undefined || mayMatch(test, content)
  }
  return Array.from(
    draftsOf(groups),
    ([variable, drafts]) =>
      new VariableScans(variable, drafts, (groups) => ({
        ...patternsOf(groups, candidates, words),
        matches,
      })),
  )
}

function draftsOf(groups: readonly GroupRules[]): ReadonlyMap<Variable, SourceDrafts> {
  const byVariable = new Map<Variable, SourceDrafts>()
  for (const group of groups) {
    for (const { source, isCounted } of group.group.sources) {
      const { variable, lowerKey } = source
      const drafts = byVariable.get(variable) ?? {
        all: [],
        ofKeys: new Map<string, GroupRules[]>(),
        ofPatterns: new Map<TargetSource, GroupRules[]>(),
        ofCounts: new Map<TargetSource, GroupRules[]>(),
      }
      byVariable.set(variable, drafts)
      if (isCounted) addTo(drafts.ofCounts, source, group)
      else if (source.isWhole) drafts.all.push(group)
      else if (lowerKey === undefined) addTo(drafts.ofPatterns, source, group)
      else addTo(drafts.ofKeys, lowerKey, group)
    }
  }
  return byVariable
}

function addTo<Key>(lists: Map<Key, GroupRules[]>, key: Key, group: GroupRules): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [group])
  else list.push(group)
}

function patternsOf(groups: Iterable<GroupRules>, candidates: Candidates, words: number) {
  const parts: ScanPart[] = []
  const unfiltered = new Uint32Array(words)
  for (const { group, rules } of groups) {
    for (const { pattern, test } of rules) {
      if (test.prefilterNumber === undefined) setBit(unfiltered, pattern)
      else setBit(partFor(group, parts, candidates.words).patterns, pattern)
    }
  }
  return { candidates, parts, unfiltered }
}

/** Whether a test matches a content; also true where that is not the same in all transactions. */
function mayMatch({ group, operator, isNegated }: Test, content: Content): boolean {
  if (typeof operator === 'function') return true
  const stages = group.isMultiMatch ? content.stagesThrough(group.chain) : [content.through(group.chain)]
  return stages.some((stage) => {
    // The scan's result is cached; a stage would cache the match of each operator beside it.
    const match = operator.match(stage.text)
    return match === matchLimitExceeded || (match === undefined) === isNegated
  })
}

/** The part with which a group shares what the transformations make, or a new one. */
function partFor({ chain, isMultiMatch }: TargetGroup, parts: ScanPart[], words: number): ScanPart {
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
