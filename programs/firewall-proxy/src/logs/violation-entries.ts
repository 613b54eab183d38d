import type { LoggedEntry } from '@palisade/proxy-protocol'
import type { RuleMatch } from '@palisade/seclang'
import type { RefusedConnection } from '../serving/service-runtime.ts'
import type { Exchange, Violation } from '../traffic/exchange.ts'
import { readable, requestFields } from './access-entry.ts'
import { overwritten } from './masking.ts'

/** As syslog numbers them, and rules do. */
const severities = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice', 'Information', 'Debug']
const noSeverity = 'Notice'

/** A request that offends everything is told about this often. */
const entriesPerRequestMax = 50

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
  'attack-protocol': 'Protocol Violations',
  'attack-disclosure': 'Outbound Attacks',
  'attack-fixation': 'Session Tamper Attacks',
}
const otherCategory = 'Other Attacks'

/**
 * The entries of a request in the web firewall log: one for each rule and target, and
 * one for each thing that was found without rules.
 */
export function violationEntries(exchange: Exchange): LoggedEntry[] {
  const { transaction, violations, interruption, runtime } = exchange
  const common = { ...requestFields(exchange), time: exchange.startedAt }
  const action = interruption === undefined ? 'LOG' : 'DENY'
  const matches = (transaction?.matches ?? [])
    .filter(({ isLogged }) => isLogged)
    .slice(0, entriesPerRequestMax)
  const ofRules = matches.map((match) => ({
    ...common,
    action,
    severity: severities[match.severity ?? -1] ?? noSeverity,
    rule: String(match.ruleId),
    'rule-type': 'Core Rule Set',
    attack: readable(messageOf(exchange, match)),
    'attack-category': categoryOf(match),
    'attack-detail': readable(detailOf(exchange, match)),
  }))
  const limit =
    interruption !== undefined && interruption.ruleId === undefined ? interruption.message : undefined
  const ofLimits = limit === undefined ? [] : [{ attack: 'Request Limits', detail: limit }]
  const withoutRules = [...violations, ...ofLimits]
    .slice(0, entriesPerRequestMax)
    .map((violation) => ({ ...common, ...violationFields(runtime.service.name, violation) }))
  return [...ofRules, ...withoutRules]
}

/** The entry of a connection that was ended before there was a request. */
export function refusedConnectionEntry(
  { runtime, violation, clientAddress, clientPort }: RefusedConnection,
  now: number,
): LoggedEntry {
  const { name, address, port } = runtime.service
  return {
    time: now,
    ...violationFields(name, violation),
    'client-ip': clientAddress,
    'client-port': clientPort,
    'service-ip': address,
    'service-port': port,
  }
}

function violationFields(service: string, { attack, detail, category, action = 'DENY' }: Violation) {
  return {
    'service-name': service,
    action,
    severity: 'Alert',
    attack,
    'attack-category': category ?? 'Protocol Violations',
    'attack-detail': detail,
  }
}

function categoryOf({ tags }: RuleMatch): string {
  return tags.map((tag) => categories[tag]).find((category) => category !== undefined) ?? otherCategory
}

/** What a rule says about what it is; it may quote what it found. */
function messageOf(exchange: Exchange, match: RuleMatch): string {
  const { message, ruleId, targetValue } = match
  if (maySeeValue(exchange, match)) return message
  const quotes = targetValue !== '' && message.toLowerCase().includes(targetValue.toLowerCase())
  return quotes ? `Rule ${ruleId}` : message
}

/** Where something was found, and what. */
function detailOf(exchange: Exchange, match: RuleMatch): string {
  const { targetName, data } = match
  if (!maySeeValue(exchange, match)) return `${targetName}: ${overwritten}`
  return [targetName, data].filter((part) => part !== '').join(' ')
}

function maySeeValue({ runtime, transaction }: Exchange, { targetName }: RuleMatch): boolean {
  if (targetName === '') return true
  return runtime.masking.maySee(targetName) && transaction?.isSanitised(targetName) !== true
}
