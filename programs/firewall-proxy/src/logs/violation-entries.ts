import type { LoggedEntry, SnapshotService } from '@palisade/proxy-protocol'
import type { RuleMatch } from '@palisade/seclang'
import type { Exchange, ExchangePolicy, Violation } from '../exchange/exchange.ts'
import { textOfBytes } from '../exchange/text-of-bytes.ts'
import { followUpOf, nameOfFollowUp } from '../policy/follow-up.ts'
import { attackOfMatch } from '../policy/rule-attacks.ts'
import { countryOf, refererOf, requestFields } from './access-entry.ts'
import { type Masking, overwritten } from './masking.ts'
import { type FindingOrder, mostTelling } from './most-telling.ts'

/** A connection that was ended because of how its client behaved. */
export interface RefusedConnection {
  readonly service: SnapshotService
  readonly policy: ExchangePolicy
  /** That of its request, where there was one, or one of its own; the client was told it where it was told anything. */
  readonly requestId: string
  readonly violation: Violation
  readonly clientAddress: string
  readonly clientPort: number
  /** Of the client, by its code, where that is known. */
  readonly country?: string
}

/** What was found in a request with its answer, or in a message over the WebSocket that it has opened. */
export type InspectionResult = Pick<Exchange, 'violations' | 'transaction' | 'interruption'>

/** As syslog numbers them, and rules do. */
const severities = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice', 'Information', 'Debug']
const alert = 1
const warning = 4
const notice = 5

/** How many entries one request can have in the log, however many rules it breaks, and as many for what was found without rules. */
const entriesPerRequestMax = 50

const ofMatches: FindingOrder<RuleMatch> = {
  kindOf: ({ ruleId }) => ruleId,
  refuses: ({ isDisruptive }) => isDisruptive,
}
const ofViolations: FindingOrder<Violation> = {
  kindOf: ({ attack, rule = '' }) => `${attack} ${rule}`,
  refuses: ({ action = 'DENY' }) => action !== 'LOG',
}

/** Tags of the Core Rule Set that say what kind of attack a rule is about, and the kind in words. */
const categories: Readonly<Record<string, string>> = {
  'attack-sqli': 'SQL Attacks',
  'attack-xss': 'XSS Injections',
  'attack-rce': 'Injection Attacks',
  'attack-lfi': 'Forceful Browsing',
  'attack-rfi': 'Injection Attacks',
  'attack-injection-php': 'Injection Attacks',
  'attack-injection-java': 'Injection Attacks',
  'attack-injection-nodejs': 'Injection Attacks',
  'attack-injection-generic': 'Injection Attacks',
  'attack-ssrf': 'Injection Attacks',
  'attack-protocol': 'Protocol Violations',
  'attack-multipart-header': 'Protocol Violations',
  'attack-disclosure': 'Outbound Attacks',
  'attack-fixation': 'Session Tamper Attacks',
}
const otherCategory = 'Other Attacks'

/** Of ordinary requests. */
const none: readonly LoggedEntry[] = []

/**
 * The entries of a request in the web firewall log: one for each rule and target, and
 * one for each thing that was found without rules. Those are left out that the policy does not want to be logged, and those that
 * are less grave than the service logs. Where there are too many, those stay that tell most ({@link mostTelling}), and one of them
 * says how many there were besides.
 *
 * @param found absent for what was found in the request itself and in its answer
 */
export function violationEntries(
  exchange: Exchange,
  masking: Masking,
  found: InspectionResult = exchange,
): readonly LoggedEntry[] {
  const { id, startedAt } = exchange
  const matches = loggedMatches(exchange, found)
  const violations = [...found.violations, ...limitOf(exchange, found)]
  if (matches.length === 0 && violations.length === 0) return none
  const common = {
    ...requestFields(exchange, masking),
    ...countryOf(exchange, 'country-code'),
    referer: refererOf(exchange, masking),
    time: found === exchange ? startedAt : exchange.runtime.now(),
    'request-id': id,
  }
  const { name } = exchange.runtime.service
  const grave = violations.filter((violation) => isGraveEnough(exchange, severityOf(violation)))
  return [
    ...entriesOf(matches, ofMatches, (match) => ({
      ...common,
      ...matchFields(exchange, masking, match, found),
    })),
    ...entriesOf(grave, ofViolations, (violation) => ({ ...common, ...violationFields(name, violation) })),
  ]
}

/** How many there are besides is said where the request was refused, or last. */
function entriesOf<T>(
  findings: readonly T[],
  telling: FindingOrder<T>,
  entryOf: (finding: T) => LoggedEntry,
): LoggedEntry[] {
  const selection = mostTelling(findings, entriesPerRequestMax, telling)
  const leftOut = findings.length - selection.length
  const entries = selection.map(entryOf)
  if (leftOut === 0) return entries
  const refusing = selection.findLastIndex(telling.refuses)
  const at = refusing < 0 ? entries.length - 1 : refusing
  return entries.map((entry, index) =>
    index === at
      ? { ...entry, 'attack-detail': `${entry['attack-detail']} ${leftOut} more entries are left out.` }
      : entry,
  )
}

/** The entry of a connection that was ended before there was a request. */
export function refusedConnectionEntry(
  { service, policy, requestId, violation, clientAddress, clientPort, country }: RefusedConnection,
  now: number,
): LoggedEntry {
  const { name, address, port } = service
  return {
    time: now,
    'request-id': requestId,
    ...violationFields(name, { category: policy.actionFor(violation.attack).category, ...violation }),
    'client-ip': clientAddress,
    'client-port': clientPort,
    ...(country === undefined ? {} : { 'country-code': country }),
    'service-ip': address,
    'service-port': port,
  }
}

function loggedMatches(exchange: Exchange, { transaction }: InspectionResult): readonly RuleMatch[] {
  const { policy } = exchange.judge
  return (transaction?.matches ?? []).filter((match) => {
    const attack = attackOfMatch(match)
    if (attack !== undefined && !policy.actionFor(attack).logs) return false
    return match.isLogged && isGraveEnough(exchange, match.severity ?? notice)
  })
}

function isGraveEnough({ runtime }: Pick<Exchange, 'runtime'>, severity: number): boolean {
  return severity <= (runtime.service.checks?.logLevel ?? severity)
}

function matchFields(
  exchange: Exchange,
  masking: Masking,
  match: RuleMatch,
  found: InspectionResult,
): Record<string, string> {
  const attack = attackOfMatch(match)
  const { policy } = exchange.judge
  const message = textOfBytes(messageOf(found, masking, match))
  const detail = textOfBytes(detailOf(found, masking, match))
  const isDenied =
    found.interruption !== undefined && (attack === undefined || policy.actionFor(attack).denies)
  const followUp = followUpOf(policy.actionFor(attack ?? ''))
  return {
    action: isDenied ? 'DENY' : 'LOG',
    ...(isDenied && followUp ? { 'follow-up-action': nameOfFollowUp(followUp) } : {}),
    severity: severities[match.severity ?? notice] ?? '',
    rule: String(match.ruleId),
    'rule-type': 'Core Rule Set',
    'rule-target': textOfBytes(masking.target(match.targetName)),
    ...(attack !== undefined && policy.knows(attack)
      ? {
          attack,
          'attack-category': policy.actionFor(attack).category,
          'attack-detail': `${message}. ${detail}`,
        }
      : { attack: message, 'attack-category': categoryOf(match), 'attack-detail': detail }),
  }
}

/** A limit of the rules' settings that ended the request. */
function limitOf({ judge }: Exchange, { interruption }: InspectionResult): Violation[] {
  if (interruption === undefined || interruption.ruleId !== undefined) return []
  const attack = 'content-length-exceeded'
  return [{ attack, category: judge.policy.actionFor(attack).category, detail: interruption.message }]
}

function severityOf({ severity, action = 'DENY' }: Violation): number {
  return severity ?? (action === 'LOG' ? warning : alert)
}

function violationFields(service: string, violation: Violation): Record<string, string> {
  const { attack, detail, category = 'Protocol Violations', action = 'DENY', followUp, rule } = violation
  return {
    'service-name': service,
    action,
    severity: severities[severityOf(violation)] ?? '',
    attack,
    'attack-category': category,
    'attack-detail': detail,
    ...(followUp === undefined ? {} : { 'follow-up-action': followUp }),
    ...(rule === undefined ? {} : { rule, 'rule-type': 'Configuration' }),
  }
}

function categoryOf({ tags }: RuleMatch): string {
  return tags.map((tag) => categories[tag]).find((category) => category !== undefined) ?? otherCategory
}

/** What a rule says about what it is; it may quote what it found. */
function messageOf(found: InspectionResult, masking: Masking, match: RuleMatch): string {
  const { message, ruleId, targetValue } = match
  if (maySeeValue(found, masking, match)) return message
  const quotes = targetValue !== '' && message.toLowerCase().includes(targetValue.toLowerCase())
  return quotes ? `Rule ${ruleId}` : message
}

/** Where something was found, and what. */
function detailOf(found: InspectionResult, masking: Masking, match: RuleMatch): string {
  const target = masking.target(match.targetName)
  if (!maySeeValue(found, masking, match)) return `${target}: ${overwritten}`
  return [target, match.data].filter((part) => part !== '').join(' ')
}

/** Whether neither the target nor an address in its value is one that no log may show. */
function maySeeValue(
  { transaction }: InspectionResult,
  masking: Masking,
  { targetName, targetValue }: RuleMatch,
): boolean {
  if (targetName === '' || isScore(targetName, targetValue)) return true
  if (!masking.maySee(targetName) || masking.address(targetValue) !== targetValue) return false
  return transaction?.isSanitised(targetName) !== true
}

/** Whether it is a sum that rules keep, such as `TX:ANOMALY_SCORE`: of all that they keep, clients say no part of that. */
function isScore(targetName: string, targetValue: string): boolean {
  return /^TX:(\w+_)?score(_pl\d)?$/i.test(targetName) && /^\d{1,6}$/.test(targetValue)
}
