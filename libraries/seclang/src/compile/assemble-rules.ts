import { parsePhase } from '../inspection/phase.ts'
import { type Position, RuleSetFailure } from '../language/rule-set-failure.ts'
import type { ActionSyntax, RuleSyntax, Statement } from '../language/syntax.ts'
import { argumentOf, type DraftEntry, type LinkDraft, type RuleDraft } from './rule-draft.ts'
import { isSelected } from './select-rules.ts'
import { updateActions, updateTargets } from './update-rules.ts'

/** What holds in a phase for which no SecDefaultAction was given. */
const defaultActions: readonly ActionSyntax[] = [{ name: 'log' }, { name: 'auditlog' }, { name: 'pass' }]

/**
 * Puts rules together with their chains and defaults, and applies the directives that remove or change rules: each to the
 * rules that stand before it.
 *
 * @throws {RuleSetFailure}
 */
export function assembleRules(statements: readonly Statement[]): readonly DraftEntry[] {
  let entries: DraftEntry[] = []
  const defaults = new Map<number, readonly ActionSyntax[]>()
  let open: { starter: RuleSyntax; links: LinkDraft[] } | undefined
  for (const statement of statements) {
    if (open !== undefined && statement.kind !== 'rule') throw unfinished(open.starter)
    switch (statement.kind) {
      case 'rule':
        open = addRule(statement, open)
        break
      case 'marker':
        entries.push({ kind: 'marker', label: statement.label })
        break
      case 'default-action':
        defaults.set(phaseOf(statement.actions, statement.at), checkDefaults(statement.actions, statement.at))
        break
      case 'remove':
        entries = entries.filter((entry) => entry.kind !== 'rule' || !isSelected(entry.rule, statement.rules))
        break
      case 'update-target':
        entries = entries.map((entry) => forRule(entry, (rule) => updateTargets(rule, statement)))
        break
      case 'update-action':
        entries = entries.map((entry) => forRule(entry, (rule) => updateActions(rule, statement)))
        break
    }
  }
  if (open !== undefined) throw unfinished(open.starter)
  return entries

  /** Gives the chain that waits for its next rule. */
  function addRule(rule: RuleSyntax, chain: typeof open): typeof open {
    const starter = chain?.starter ?? rule
    const { at, variables, operator, actions } = rule
    const links = [...(chain?.links ?? []), { at, variables, operator, actions }]
    if (chain !== undefined) refuseInChain(rule)
    if (actions.some(({ name }) => name === 'chain')) return { starter, links }
    entries.push({ kind: 'rule', rule: draftOf(starter, links) })
    return undefined
  }

  function draftOf(starter: RuleSyntax, links: readonly LinkDraft[]): RuleDraft {
    const phase = phaseOf(starter.actions, starter.at)
    return {
      id: idOf(starter),
      phase,
      at: starter.at,
      links,
      defaults: defaults.get(phase) ?? defaultActions,
    }
  }
}

function forRule(entry: DraftEntry, change: (rule: RuleDraft) => RuleDraft): DraftEntry {
  return entry.kind === 'rule' ? { kind: 'rule', rule: change(entry.rule) } : entry
}

function unfinished(starter: RuleSyntax): RuleSetFailure {
  return new RuleSetFailure(starter.at, 'chain: the next rule is missing')
}

function phaseOf(actions: readonly ActionSyntax[], at: Position): ReturnType<typeof parsePhase> {
  try {
    return parsePhase(argumentOf(actions, 'phase') ?? '2')
  } catch (cause) {
    throw new RuleSetFailure(at, cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function idOf({ actions, at }: RuleSyntax): number {
  const id = argumentOf(actions, 'id')
  if (id === undefined) throw new RuleSetFailure(at, 'the rule has no id')
  if (!/^\d{1,15}$/.test(id)) throw new RuleSetFailure(at, `id: a whole number was expected, not "${id}"`)
  return Number(id)
}

const onlyInFirst: ReadonlySet<string> = new Set([
  'id',
  'phase',
  'rev',
  'ver',
  'msg',
  'logdata',
  'tag',
  'severity',
  'accuracy',
  'maturity',
  'skip',
  'skipafter',
  'deny',
  'drop',
  'redirect',
  'allow',
  'block',
  'pass',
])

/** These belong to the chain as a whole and stand in its first rule. */
function refuseInChain({ actions, at }: RuleSyntax): void {
  const misplaced = actions.find(({ name }) => onlyInFirst.has(name))
  if (misplaced === undefined) return
  throw new RuleSetFailure(at, `${misplaced.name}: belongs to the first rule of the chain`)
}

const allowedAsDefaults: ReadonlySet<string> = new Set([
  'phase',
  'log',
  'nolog',
  'auditlog',
  'noauditlog',
  'pass',
  'deny',
  'drop',
  'redirect',
  'status',
  't',
  'tag',
])

function checkDefaults(actions: readonly ActionSyntax[], at: Position): readonly ActionSyntax[] {
  const misplaced = actions.find(({ name }) => !allowedAsDefaults.has(name))
  if (misplaced !== undefined)
    throw new RuleSetFailure(at, `SecDefaultAction: ${misplaced.name} cannot be a default`)
  return actions.filter(({ name }) => name !== 'phase')
}
