import { RuleSetFailure } from '../language/rule-set-failure.ts'
import type { ActionSyntax, Selector, Statement, VariableSyntax } from '../language/syntax.ts'
import type { LinkDraft, RuleDraft } from './rule-draft.ts'
import { isSelected } from './select-rules.ts'

type UpdateTarget = Extract<Statement, { kind: 'update-target' }>
type UpdateAction = Extract<Statement, { kind: 'update-action' }>

/** SecRuleUpdateTargetById and its like: adds variables (or `!` exclusions) to the first rule of the chain, or replaces some. */
export function updateTargets(rule: RuleDraft, update: UpdateTarget): RuleDraft {
  const [first, ...rest] = rule.links
  if (first === undefined || first.operator === undefined || !isSelected(rule, update.rules)) return rule
  const { replaced } = update
  const otherVariables =
    replaced === undefined
      ? first.variables
      : first.variables.filter((variable) => !replaced.some((other) => isSameVariable(variable, other)))
  return { ...rule, links: [{ ...first, variables: [...otherVariables, ...update.variables] }, ...rest] }
}

/** Actions of which a rule has one: a new one takes the place of the old one, and of others of its kind. */
const exclusiveKinds: readonly ReadonlySet<string>[] = [
  new Set(['pass', 'block', 'deny', 'drop', 'redirect', 'allow']),
  new Set(['log', 'nolog']),
  new Set(['auditlog', 'noauditlog']),
]

/** May stand in a rule many times; an update adds. */
const repeatable: ReadonlySet<string> = new Set([
  'tag',
  'setvar',
  'expirevar',
  'ctl',
  't',
  'setenv',
  'initcol',
])

/** SecRuleUpdateActionById: the rule keeps its id, phase and chain; what is given wins over what was there. */
export function updateActions(rule: RuleDraft, update: UpdateAction): RuleDraft {
  if (rule.id !== update.id) return rule
  const fixed = update.actions.find(({ name }) => name === 'id' || name === 'phase' || name === 'chain')
  if (fixed !== undefined) {
    throw new RuleSetFailure(update.at, `SecRuleUpdateActionById: ${fixed.name} cannot be changed`)
  }
  if (rule.links[update.chainOffset] === undefined) {
    throw new RuleSetFailure(update.at, `SecRuleUpdateActionById: the chain of ${rule.id} is not that long`)
  }
  const links = rule.links.map((link, offset) =>
    offset === update.chainOffset ? withActions(link, update.actions) : link,
  )
  return { ...rule, links }
}

function withActions(link: LinkDraft, added: readonly ActionSyntax[]): LinkDraft {
  const otherActions = link.actions.filter((old) => !added.some((action) => replaces(action.name, old.name)))
  return { ...link, actions: [...otherActions, ...added] }
}

function replaces(name: string, old: string): boolean {
  if (name === old) return !repeatable.has(name)
  return exclusiveKinds.some((kind) => kind.has(name) && kind.has(old))
}

function isSameVariable(a: VariableSyntax, b: VariableSyntax): boolean {
  return a.mode === b.mode && a.name === b.name && keyText(a.selector) === keyText(b.selector)
}

function keyText(selector: Selector | undefined): string | undefined {
  if (selector === undefined) return undefined
  return selector.kind === 'key' ? selector.key.toLowerCase() : `/${selector.source}/`
}
