import type { OperatorMatch, Prefilter } from '../matching/index.ts'
import { Content } from './content.ts'
import type { Inspection } from './inspection.ts'
import type { Interruption } from './outcome.ts'
import type { Disruption, Link, Rule, Test } from './rule.ts'
import { plainTarget, type Target } from './target.ts'
import { hasBit } from './target-group.ts'
import { excludes } from './target-list.ts'

/** The rules of one phase. */
export interface PhaseRules {
  readonly rules: readonly Rule[]
  /** Undefined when every rule runs. */
  readonly prefilter: Prefilter | undefined
}

/** How far `allow` lets a transaction off. */
export type Allowance = Extract<Disruption, { kind: 'allow' }>['scope']

/**
 * Runs the rules of a phase in order, until one interrupts or allows.
 *
 * The actions of a rule run once for each target that matches, and a chain goes on to its next rule when at least one did,
 * as in ModSecurity 2.
 *
 * @returns the allowance, when a rule allowed
 */
export function runPhase({ rules, prefilter }: PhaseRules, inspection: Inspection): Allowance | undefined {
  inspection.beginPhase()
  let at = 0
  while (at < rules.length) {
    const rule = rules[at]
    if (rule === undefined || inspection.ruleEngine === 'off') return undefined
    const hasMatched = !inspection.exclusions.isRemoved(rule.index) && runRule(rule, inspection, prefilter)
    if (inspection.interruption !== undefined) return undefined
    if (hasMatched && rule.disruption.kind === 'allow' && inspection.ruleEngine === 'on')
      return rule.disruption.scope
    at += hasMatched ? rule.advance : 1
  }
  return undefined
}

/** Whether all links matched. */
function runRule(rule: Rule, inspection: Inspection, prefilter: Prefilter | undefined): boolean {
  const [first] = rule.links
  if (prefilter !== undefined && first !== undefined && cannotMatch(first, inspection, prefilter))
    return false
  inspection.rule = rule.metadata
  inspection.matchedTargets = []
  const last = rule.links.length - 1
  return rule.links.every((link, position) =>
    runLink(rule, link, position, position === last, inspection, prefilter),
  )
}

function cannotMatch({ test }: Link, inspection: Inspection, prefilter: Prefilter): boolean {
  if (test?.prefilterNumber === undefined) return false
  return !test.group.canMatch(inspection, prefilter, test.prefilterNumber)
}

function runLink(
  rule: Rule,
  link: Link,
  position: number,
  isLast: boolean,
  inspection: Inspection,
  prefilter: Prefilter | undefined,
): boolean {
  const { test } = link
  if (test === undefined) {
    onMatch(rule, link, noTarget, undefined, isLast, inspection)
    return true
  }
  const exclusions = position === 0 ? inspection.exclusions.ofRule(rule.index) : undefined
  const operator = test.operator(inspection)
  let hasMatched = false
  for (const target of test.group.targets(inspection)) {
    if (exclusions?.some((exclusion) => excludes(exclusion, target))) continue
    for (const content of valuesToTest(test, target)) {
      if (prefilter !== undefined && isRuledOut(test, content, prefilter)) continue
      const found = operator.match(content.text)
      if ((found === undefined) !== test.isNegated) continue
      hasMatched = true
      onMatch(rule, link, { ...target, content }, found, isLast, inspection)
      if (inspection.interruption !== undefined) return true
    }
  }
  return hasMatched
}

/** What a SecAction matches. */
const noTarget: Target = plainTarget('', new Content(''))

function valuesToTest({ group, isMultiMatch }: Test, { content }: Target): readonly Content[] {
  return isMultiMatch ? content.stagesThrough(group.chain) : [content.through(group.chain)]
}

function isRuledOut(test: Test, content: Content, prefilter: Prefilter): boolean {
  return test.prefilterNumber !== undefined && !hasBit(content.candidates(prefilter), test.prefilterNumber)
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
    inspection.matchedTargets.push(target)
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
