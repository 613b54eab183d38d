import type { Candidates } from '../content/candidates.ts'
import { Content } from '../content/content.ts'
import { plainTarget, type Target } from '../content/target.ts'
import { exclusionFor } from '../content/target-exclusion.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { Allowance, Interruption } from '../inspection/outcome.ts'
import type { Operator, OperatorMatch } from '../matching/index.ts'
import { matchWithinLimit } from './match-limit.ts'
import type { Prologue } from './prologue.ts'
import type { Link, Rule, Test } from './rule.ts'
import type { Schedule } from './schedule.ts'

/** The rules of one phase. */
export interface PhaseRules {
  readonly rules: readonly Rule[]
  /** Undefined when every rule runs. */
  readonly schedule: Schedule | undefined
  /** Undefined when there is none. */
  readonly prologue: Prologue | undefined
}

/**
 * Runs the rules of a phase in order, until one interrupts or allows.
 *
 * The actions of a rule run once for each target that matches, and a chain goes on to its next rule when at least one did,
 * as in ModSecurity 2.
 *
 * @returns the allowance, when a rule allowed
 */
export function runPhase(phase: PhaseRules, inspection: Inspection): Allowance | undefined {
  const { rules, prologue, schedule } = phase
  inspection.forgetPhase()
  inspection.candidates = schedule?.candidates
  schedule?.begin(inspection)
  let at: number | undefined = 0
  if (prologue !== undefined) {
    at = runRules(phase, inspection, at, prologue.start)
    if (at === prologue.start) {
      at = prologue.pass(inspection, () => runRules(phase, inspection, prologue.start, prologue.end))
    }
  }
  if (at !== undefined) runRules(phase, inspection, at, rules.length)
  const { allowance } = inspection
  inspection.allowance = undefined
  inspection.forgetPhase()
  return allowance
}

/**
 * Runs the rules of a phase from one place to another.
 *
 * @returns the place of the rule to go on with; undefined when the phase is over
 */
function runRules(
  { rules, schedule }: PhaseRules,
  inspection: Inspection,
  from: number,
  end: number,
): number | undefined {
  let at = schedule === undefined ? from : schedule.next(from, inspection)
  while (at < end) {
    const rule = rules[at]
    if (rule === undefined || inspection.ruleEngine === 'off') return undefined
    const hasMatched = tryRule(rule, inspection)
    if (inspection.interruption !== undefined) return undefined
    if (hasMatched && rule.disruption.kind === 'allow' && inspection.ruleEngine === 'on') {
      inspection.allowance = rule.disruption.scope
      return undefined
    }
    const following = at + (hasMatched ? rule.advance : 1)
    at = schedule === undefined ? following : schedule.next(following, inspection)
  }
  return at
}

/** Whether a rule has matched, which one that was removed never does. */
function tryRule(rule: Rule, inspection: Inspection): boolean {
  const { gate, index, metadata } = rule
  const { exclusions } = inspection
  if (exclusions.isRemoved(index)) return false
  if (gate === undefined || exclusions.ofRule(index) !== undefined) return runRule(rule, inspection)
  const targets = gate.matched(inspection.tx)
  if (targets === undefined) return false
  if (!gate.isAllOfRule) return runRule(rule, inspection)
  inspection.rule = metadata
  inspection.matchedTarget = targets.at(-1)
  inspection.matchedTargets = targets
  return true
}

/** Whether all links matched. */
function runRule(rule: Rule, inspection: Inspection): boolean {
  inspection.rule = rule.metadata
  if (inspection.matchedTargets.length > 0) inspection.matchedTargets = []
  for (const link of rule.links) if (!runLink(rule, link, inspection)) return false
  return true
}

function runLink(rule: Rule, link: Link, inspection: Inspection): boolean {
  const { test } = link
  if (test === undefined) {
    onMatch(rule, link, noTarget, undefined, inspection)
    return true
  }
  const exclusions = exclusionsOf(rule, link, inspection)
  const operator = typeof test.operator === 'function' ? test.operator(inspection) : test.operator
  const { isMultiMatch, chain } = test.group
  let hasMatched = false
  for (const target of test.group.targets(inspection)) {
    const exclusion = exclusions === undefined ? undefined : exclusionFor(target, exclusions)
    if (exclusion !== undefined && !(exclusion.isLogged === true && link.isLast)) continue
    const counts = exclusion === undefined
    const { content } = target
    if (!isMultiMatch || !content.isChangedBy(chain)) {
      const last = content.through(chain)
      if (tryContent(rule, link, operator, target, last, counts, inspection)) hasMatched = true
    } else {
      for (const stage of content.stagesThrough(chain)) {
        if (tryContent(rule, link, operator, target, stage, counts, inspection)) hasMatched = true
      }
    }
    if (inspection.interruption !== undefined) return true
  }
  return hasMatched
}

/**
 * Tests what transformations have made of a target.
 *
 * @param counts whether anything follows from a match
 * @returns whether the link has matched
 */
function tryContent(
  rule: Rule,
  link: Link,
  operator: Operator,
  target: Target,
  content: Content,
  counts: boolean,
  inspection: Inspection,
): boolean {
  const { test } = link
  if (test === undefined || inspection.interruption !== undefined) return false
  if (isRuledOut(test, content, inspection.candidates)) return false
  // What an operator finds may be kept for later transactions, unless it is made anew for each.
  const operatorMatch = operator === test.operator ? content.match(operator) : operator.match(content.text)
  const match = matchWithinLimit(operatorMatch, inspection.tx)
  if ((match === undefined) !== test.isNegated) return false
  const matched = content === target.content ? target : { ...target, content, source: target.content }
  if (counts) onMatch(rule, link, matched, match, inspection)
  else onlyTell(rule, test, matched, match, inspection)
  return counts
}

/** What was taken away of the rule's targets, as far as it counts for this link. */
function exclusionsOf({ index }: Rule, { isFirst }: Link, { exclusions }: Inspection) {
  const ofRule = exclusions.ofRule(index)
  return isFirst ? ofRule : ofRule?.filter(({ inWholeChain }) => inWholeChain === true)
}

/** A match from which nothing follows but that it is told. */
function onlyTell(
  rule: Rule,
  test: Test,
  target: Target,
  match: OperatorMatch | undefined,
  inspection: Inspection,
): void {
  inspection.matchedTarget = target
  if (test.capturesResults && match !== undefined) capture(match, inspection)
  if (rule.isLogged || rule.isAuditLogged) record(rule, target, inspection)
}

/** What a SecAction matches. */
const noTarget: Target = plainTarget('', new Content(''))

function isRuledOut(
  { prefilterNumber }: Test,
  content: Content,
  candidates: Candidates | undefined,
): boolean {
  if (prefilterNumber === undefined || candidates === undefined) return false
  return !candidates.has(content.candidateSet(candidates), prefilterNumber)
}

function onMatch(
  rule: Rule,
  link: Link,
  target: Target,
  match: OperatorMatch | undefined,
  inspection: Inspection,
): void {
  if (link.test !== undefined) {
    inspection.matchedTarget = target
    // An empty array makes room for many when it gets its first element; few rules match more than one target.
    if (inspection.matchedTargets.length === 0) inspection.matchedTargets = [target]
    else inspection.matchedTargets.push(target)
    if (link.test.capturesResults && match !== undefined) capture(match, inspection)
  }
  for (const effect of link.effects) effect(inspection)
  if (!link.isLast) return
  const { severity } = rule.metadata
  if (severity !== undefined && severity < inspection.highestSeverity) inspection.highestSeverity = severity
  if (rule.isLogged || rule.isAuditLogged) record(rule, target, inspection)
  if (inspection.ruleEngine === 'on') inspection.interruption = interruptionOf(rule, inspection)
}

const captureKeys = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

/** Captures go to TX:0 to TX:9; what is left there of an earlier rule is removed. */
function capture({ captures }: OperatorMatch, { tx }: Inspection): void {
  if (captures.length === 0) return
  let number = 0
  for (const key of captureKeys) {
    const text = captures[number++]
    if (text !== undefined) tx.set(key, text)
    else tx.unset(key)
  }
}

function record(rule: Rule, target: Target, inspection: Inspection): void {
  const { metadata } = rule
  inspection.matches.push({
    ruleId: metadata.id,
    phase: metadata.phase,
    file: metadata.at.file,
    line: metadata.at.line,
    message: metadata.message.expand(inspection),
    data: metadata.data.expand(inspection),
    severity: metadata.severity,
    tags: metadata.tags.map((tag) => tag.expand(inspection)),
    version: metadata.version,
    revision: metadata.revision,
    targetName: target.name,
    targetValue: target.content.text,
    sourceValue: (target.source ?? target.content).text,
    isLogged: rule.isLogged,
    isAuditLogged: rule.isAuditLogged,
    isDisruptive: rule.disruption.kind !== 'pass' && rule.disruption.kind !== 'allow',
  })
}

function interruptionOf({ disruption, metadata }: Rule, inspection: Inspection): Interruption | undefined {
  if (disruption.kind === 'pass' || disruption.kind === 'allow') return undefined
  const common = { ruleId: metadata.id, phase: metadata.phase, message: metadata.message.expand(inspection) }
  switch (disruption.kind) {
    case 'deny':
      return { action: 'deny', status: disruption.status, ...common }
    case 'drop':
      return { action: 'drop', status: 403, ...common }
    case 'redirect':
      return {
        action: 'redirect',
        status: disruption.status,
        location: disruption.location.expand(inspection),
        ...common,
      }
    default:
      return undefined
  }
}
