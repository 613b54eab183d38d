import { compileMacro, emptyMacro } from '../engine/macro.ts'
import type { Disruption, RuleMetadata } from '../engine/rule.ts'
import type { ActionSyntax } from '../language/syntax.ts'
import { argumentOf, type RuleDraft } from './rule-draft.ts'

/** What the rule says about itself, from the actions of its first link with the defaults. */
export function metadataOf(draft: RuleDraft, actions: readonly ActionSyntax[]): RuleMetadata {
  const message = argumentOf(actions, 'msg')
  const data = argumentOf(actions, 'logdata')
  return {
    id: draft.id,
    at: draft.at,
    phase: draft.phase,
    message: message === undefined ? emptyMacro : compileMacro(message),
    data: data === undefined ? emptyMacro : compileMacro(data),
    tags: actions.filter(({ name }) => name === 'tag').map(({ argument }) => compileMacro(argument ?? '')),
    severity: severityOf(argumentOf(actions, 'severity')),
    version: argumentOf(actions, 'ver') ?? '',
    revision: argumentOf(actions, 'rev') ?? '',
  }
}

/** Whether a rule goes to the error log and to the audit log; `log` and `nolog` speak of both, later ones win. */
export function loggingOf(actions: readonly ActionSyntax[]): { isLogged: boolean; isAuditLogged: boolean } {
  const isOn = (on: string, off: readonly string[]) =>
    actions.findLast(({ name }) => name === 'log' || name === on || off.includes(name))?.name
  const logged = isOn('log', ['nolog'])
  const auditLogged = isOn('auditlog', ['nolog', 'noauditlog'])
  return {
    isLogged: logged === 'log',
    isAuditLogged: auditLogged === 'log' || auditLogged === 'auditlog',
  }
}

const disruptive: ReadonlySet<string> = new Set(['pass', 'block', 'deny', 'drop', 'redirect', 'allow'])

/** What happens when the rule matches; `block` is what the defaults say. */
export function disruptionOf(draft: RuleDraft, actions: readonly ActionSyntax[]): Disruption {
  const own = actions.findLast(({ name }) => disruptive.has(name))
  const action =
    own?.name === 'block'
      ? draft.defaults.findLast(({ name }) => disruptive.has(name) && name !== 'block')
      : own
  const status = argumentOf(actions, 'status')
  switch (action?.name) {
    case 'deny':
      return { kind: 'deny', status: statusOf(status, 403) }
    case 'drop':
      return { kind: 'drop' }
    case 'redirect':
      if (!action.argument) throw new Error('redirect: an address was expected')
      return { kind: 'redirect', status: statusOf(status, 302), location: compileMacro(action.argument) }
    case 'allow':
      return { kind: 'allow', scope: allowScope(action.argument) }
    default:
      return { kind: 'pass' }
  }
}

function statusOf(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^[1-5]\d\d$/.test(text)) throw new Error(`status: 100 to 599 was expected, not "${text}"`)
  return Number(text)
}

function allowScope(text: string | undefined): 'phase' | 'request' | 'transaction' {
  if (text === undefined) return 'transaction'
  if (text === 'phase' || text === 'request') return text
  throw new Error(`allow: phase or request was expected, not "${text}"`)
}

const severities: readonly string[] = [
  'EMERGENCY',
  'ALERT',
  'CRITICAL',
  'ERROR',
  'WARNING',
  'NOTICE',
  'INFO',
  'DEBUG',
]

function severityOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const named = severities.indexOf(text.toUpperCase())
  if (named !== -1) return named
  if (/^[0-7]$/.test(text)) return Number(text)
  throw new Error(`severity: 0 to 7 or one of ${severities.join(', ')} was expected, not "${text}"`)
}
