import { Prologue } from '../engine/prologue.ts'
import type { Rule } from '../engine/rule.ts'
import type { PhaseRules } from '../engine/run-phase.ts'
import { Schedule } from '../engine/schedule.ts'
import { type Phase, phases } from '../inspection/phase.ts'
import { RuleSetFailure } from '../language/rule-set-failure.ts'
import type { RuleSelection, Statement } from '../language/syntax.ts'
import {
  type InjectionDetector,
  PrefilterBuilder,
  type Transformation,
  transformations,
  type UnicodeMap,
  urlDecodeUniWith,
} from '../matching/index.ts'
import { assembleRules } from './assemble-rules.ts'
import { compileRule, TargetGroups } from './compile-rule.ts'
import { argumentOf, type DraftEntry, type RuleDraft } from './rule-draft.ts'
import { isSelected } from './select-rules.ts'

/** A rule that can never match here, because what its operator needs is missing. */
export interface InactiveRule {
  readonly ruleId: number
  readonly reason: string
}

/** A rule that, when it matches, leaves out the rest of its phase, because the marker that it names does not come after it. */
export interface MissingMarker {
  readonly ruleId: number
  readonly label: string
}

/** The rules of a set, compiled. */
export interface CompiledRules {
  readonly byPhase: ReadonlyMap<Phase, PhaseRules>
  /** How many there are in all phases. */
  readonly count: number
  /** The variables of TX that gates ask for, in lower case. */
  readonly gateKeys: ReadonlySet<string>
  /** As {@link TargetSources.slots}. */
  readonly slots: number
  /** Whether rules may read the body of the response in phase 5. */
  readonly readsResponseBodyAtEnd: boolean
  readonly inactive: readonly InactiveRule[]
  readonly missingMarkers: readonly MissingMarker[]
  /** The indexes of the rules that a selection means. */
  readonly select: (selection: RuleSelection) => readonly number[]
}

/** How to compile. */
export interface CompileOptions {
  /** Whether literals decide beforehand which rules can match. Without, every rule runs; the results are the same. */
  readonly usePrefilter: boolean
  /** Of `urlDecodeUni`. */
  readonly unicodeMap: UnicodeMap | undefined
  readonly injections: InjectionDetector | undefined
}

/** @throws {RuleSetFailure} */
export function compileRuleSet(statements: readonly Statement[], options: CompileOptions): CompiledRules {
  const entries = assembleRules(statements)
  const drafts = entries.flatMap((entry) => (entry.kind === 'rule' ? [entry.rule] : []))
  refuseDuplicates(drafts)
  const inactive: InactiveRule[] = []
  const missingMarkers: MissingMarker[] = []
  const groups = new TargetGroups(transformationsWith(options.unicodeMap))
  let count = 0
  const byPhase = new Map<Phase, PhaseRules>()
  const indexes = new Map(drafts.map((draft, index) => [draft, index]))
  for (const phase of phases) {
    const prefilter = options.usePrefilter ? new PrefilterBuilder() : undefined
    const context = {
      groups,
      prefilter,
      injections: options.injections,
      selectRules: selectLater(drafts),
      onInactive: ({ id }: RuleDraft, reason: string) => inactive.push({ ruleId: id, reason }),
    }
    const placed = entriesOfPhase(entries, phase)
    const rules: Rule[] = []
    for (const entry of placed) {
      if (entry.kind !== 'rule') continue
      const { rule } = entry
      const advance = advanceOf(entry, rules.length, placed, (label) =>
        missingMarkers.push({ ruleId: rule.id, label }),
      )
      rules.push(compileRule(rule, indexes.get(rule) ?? 0, advance, context))
    }
    count += rules.length
    byPhase.set(phase, {
      rules,
      schedule: prefilter && new Schedule(rules, prefilter.build()),
      prologue: options.usePrefilter ? Prologue.of(rules) : undefined,
    })
  }
  const select = (selection: RuleSelection) => selectLater(drafts)(selection)()
  const readsResponseBodyAtEnd = drafts.some(({ phase, ...rule }) => phase === 5 && namesResponseBody(rule))
  return {
    byPhase,
    count,
    gateKeys: gateKeysOf(byPhase),
    slots: groups.slots,
    readsResponseBodyAtEnd,
    inactive,
    missingMarkers,
    select,
  }
}

function gateKeysOf(byPhase: ReadonlyMap<Phase, PhaseRules>): ReadonlySet<string> {
  const gates = [...byPhase.values()].flatMap(({ rules }) => rules.map(({ gate }) => gate))
  return new Set(gates.flatMap((gate) => gate?.questions ?? []).map(({ lowerKey }) => lowerKey))
}

/** Whether a variable of a rule or a text in it names RESPONSE_BODY. */
function namesResponseBody({ links, defaults }: Omit<RuleDraft, 'phase'>): boolean {
  return /response_body/i.test(JSON.stringify([links, defaults]))
}

function transformationsWith(map: UnicodeMap | undefined): ReadonlyMap<string, Transformation> {
  if (map === undefined) return transformations
  const urlDecodeUni = urlDecodeUniWith(map)
  return new Map(transformations).set(urlDecodeUni.name, urlDecodeUni)
}

function refuseDuplicates(drafts: readonly RuleDraft[]): void {
  const rulesById = new Map<number, RuleDraft>()
  for (const draft of drafts) {
    const other = rulesById.get(draft.id)
    if (other !== undefined) {
      throw new RuleSetFailure(
        draft.at,
        `id ${draft.id} is taken by the rule at ${other.at.file}:${other.at.line}`,
      )
    }
    rulesById.set(draft.id, draft)
  }
}

function selectLater(drafts: readonly RuleDraft[]): (selection: RuleSelection) => () => readonly number[] {
  return (selection) => {
    let indexes: readonly number[] | undefined
    return () => {
      indexes ??= drafts.flatMap((draft, index) => (isSelected(draft, selection) ? [index] : []))
      return indexes
    }
  }
}

/** The rules of a phase, and all markers: those are no phase's. */
function entriesOfPhase(entries: readonly DraftEntry[], phase: Phase): readonly DraftEntry[] {
  return entries.filter((entry) => entry.kind === 'marker' || entry.rule.phase === phase)
}

/** How many rules of the phase to go on when the rule matches: 1, or what `skip` and `skipAfter` say. */
function advanceOf(
  entry: Extract<DraftEntry, { kind: 'rule' }>,
  position: number,
  placed: readonly DraftEntry[],
  onMissing: (label: string) => void,
): number {
  const { rule } = entry
  const actions = rule.links[0]?.actions ?? []
  const label = argumentOf(actions, 'skipafter')
  if (label !== undefined) return rulesUpTo(label, entry, placed, onMissing)
  const skip = argumentOf(actions, 'skip')
  if (skip === undefined) return 1
  if (!/^\d{1,6}$/.test(skip))
    throw new RuleSetFailure(rule.at, `skip: a whole number was expected, not "${skip}"`)
  return Math.min(Number(skip) + 1, Math.max(1, placed.length - position))
}

/**
 * How many rules there are from the rule to the marker, or to the end of the rule with that id. Without either, to the end of the
 * phase, as in ModSecurity: the file with the marker may be left out, or of another version.
 */
function rulesUpTo(
  label: string,
  from: Extract<DraftEntry, { kind: 'rule' }>,
  placed: readonly DraftEntry[],
  onMissing: (label: string) => void,
): number {
  let rules = 0
  for (const entry of placed.slice(placed.indexOf(from))) {
    if (entry.kind === 'marker' && entry.label === label) return rules
    if (entry.kind === 'rule') rules++
    if (entry.kind === 'rule' && entry !== from && String(entry.rule.id) === label) return rules
  }
  onMissing(label)
  return rules
}
