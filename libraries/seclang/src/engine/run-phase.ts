import type { Operator, OperatorMatch } from '../matching/index.ts'
import type { Candidates } from './candidates.ts'
import { Content } from './content.ts'
import type { Inspection } from './inspection.ts'
import type { Interruption } from './outcome.ts'
import type { Prologue } from './prologue.ts'
import type { Allowance, Link, Rule, Test } from './rule.ts'
import type { Schedule } from './schedule.ts'
import { plainTarget, type Target } from './target.ts'
import { type Exclusion, excludes } from './target-list.ts'

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
  inspection.beginPhase()
  schedule?.begin()
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
    const hasMatched =
      !inspection.exclusions.isRemoved(rule.index) && runRule(rule, inspection, schedule?.candidates)
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

/** Whether all links matched. @param candidates undefined when every rule runs */
function runRule(rule: Rule, inspection: Inspection, candidates: Candidates | undefined): boolean {
  inspection.rule = rule.metadata
  if (inspection.matchedTargets.length > 0) inspection.matchedTargets = []
  const { links } = rule
  for (let position = 0; position < links.length; position++) {
    const link = links[position]
    if (link !== undefined && !runLink(rule, link, position, inspection, candidates)) return false
  }
  return true
}

function runLink(
  rule: Rule,
  link: Link,
  position: number,
  inspection: Inspection,
  candidates: Candidates | undefined,
): boolean {
  const { test } = link
  const isLast = position === rule.links.length - 1
  if (test === undefined) {
    onMatch(rule, link, noTarget, undefined, isLast, inspection)
    return true
  }
  const ofRule = inspection.exclusions.ofRule(rule.index)
  const exclusions = position === 0 ? ofRule : ofRule?.filter(({ inWholeChain }) => inWholeChain === true)
  const isFixed = typeof test.operator !== 'function'
  const attempt: Attempt = {
    rule,
    link,
    test,
    isLast,
    kept: isFixed,
    operator: typeof test.operator === 'function' ? test.operator(inspection) : test.operator,
    candidates,
    inspection,
  }
  const { isMultiMatch, chain } = test.group
  let hasMatched = false
  for (const target of test.group.targets(inspection)) {
    const exclusion = exclusions === undefined ? undefined : exclusionFor(target, exclusions)
    if (exclusion !== undefined && !(exclusion.isLogged === true && isLast)) continue
    const counts = exclusion === undefined
    const { content } = target
    if (!isMultiMatch || !content.isChangedBy(chain)) {
      if (tryContent(attempt, target, content.through(chain), counts)) hasMatched = true
    } else {
      for (const stage of content.stagesThrough(chain)) {
        if (tryContent(attempt, target, stage, counts)) hasMatched = true
      }
    }
    if (inspection.interruption !== undefined) return true
  }
  return hasMatched
}

/** One link of a rule on its way through its targets. */
interface Attempt {
  readonly rule: Rule
  readonly link: Link
  readonly test: Test
  readonly isLast: boolean
  readonly operator: Operator
  /** Whether the operator is the same in all transactions, so that what it finds may be kept. */
  readonly kept: boolean
  readonly candidates: Candidates | undefined
  readonly inspection: Inspection
}

/** @param counts whether anything follows from a match @returns whether the rule has matched */
function tryContent(attempt: Attempt, target: Target, content: Content, counts: boolean): boolean {
  const { rule, link, test, isLast, operator, candidates, inspection } = attempt
  if (inspection.interruption !== undefined) return false
  if (candidates !== undefined && isRuledOut(test, content, candidates)) return false
  const found = attempt.kept ? content.match(operator) : operator.match(content.text)
  if ((found === undefined) !== test.isNegated) return false
  const matched = content === target.content ? target : { ...target, content }
  if (counts) onMatch(rule, link, matched, found, isLast, inspection)
  else onlyTell(rule, test, matched, found, inspection)
  return counts
}

/** The first exclusion that takes a target away. */
function exclusionFor(target: Target, exclusions: readonly Exclusion[]): Exclusion | undefined {
  return exclusions.find((one) => excludes(one, target))
}

/** A match from which nothing follows but that it is told. */
function onlyTell(
  rule: Rule,
  test: Test,
  target: Target,
  found: OperatorMatch | undefined,
  inspection: Inspection,
): void {
  inspection.matchedTarget = target
  if (test.capturesResults && found !== undefined) capture(found, inspection)
  if (rule.isLogged || rule.isAuditLogged) record(rule, target, inspection)
}

/** What a SecAction matches. */
const noTarget: Target = plainTarget('', new Content(''))

function isRuledOut({ prefilterNumber }: Test, content: Content, candidates: Candidates): boolean {
  return prefilterNumber !== undefined && !candidates.has(content.candidateSet(candidates), prefilterNumber)
}

function onMatch(
  rule: Rule,
  link: Link,
  target: Target,
  found: OperatorMatch | undefined,
  isLast: boolean,
  inspection: Inspection,
): void {
  if (link.test !== undefined) {
    inspection.matchedTarget = target
    // An empty array makes room for many when it gets its first element; few rules match more than one target.
    if (inspection.matchedTargets.length === 0) inspection.matchedTargets = [target]
    else inspection.matchedTargets.push(target)
    if (link.test.capturesResults && found !== undefined) capture(found, inspection)
  }
  for (const effect of link.effects) effect(inspection)
  if (!isLast) return
  const { severity } = rule.metadata
  if (severity !== undefined && severity < inspection.highestSeverity) inspection.highestSeverity = severity
  if (rule.isLogged || rule.isAuditLogged) record(rule, target, inspection)
  if (inspection.ruleEngine === 'on') inspection.interruption = interruptionOf(rule, inspection)
}

/** Captures go to TX:0 to TX:9; what is left there of an earlier rule is removed. */
function capture({ captures }: OperatorMatch, { tx }: Inspection): void {
  if (captures.length === 0) return
  for (let number = 0; number <= 9; number++) {
    const text = captures[number]
    if (text !== undefined) tx.set(String(number), text)
    else tx.unset(String(number))
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
