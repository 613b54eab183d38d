import { effectOf, isEffect } from '../actions/effects.ts'
import type { SelectRulesLater } from '../actions/select-rules-later.ts'
import { type Chain, chainOf } from '../content/chain.ts'
import { Gate } from '../engine/gate.ts'
import type { Link, Rule, Test } from '../engine/rule.ts'
import { TargetGroup } from '../engine/target-group.ts'
import { TargetList, TargetSources } from '../engine/target-list.ts'
import { RuleSetFailure } from '../language/rule-set-failure.ts'
import type { ActionSyntax } from '../language/syntax.ts'
import type { InjectionDetector, PrefilterBuilder, Transformation } from '../matching/index.ts'
import { disruptionOf, loggingOf, metadataOf } from './compile-metadata.ts'
import { compileOperator } from './compile-operator.ts'
import type { LinkDraft, RuleDraft } from './rule-draft.ts'

/** What the rules of one set share while they are compiled. */
export interface CompileContext {
  readonly selectRules: SelectRulesLater
  readonly groups: TargetGroups
  /** Of the phase of the rule; undefined when rules always run. */
  readonly prefilter: PrefilterBuilder | undefined
  readonly injections: InjectionDetector | undefined
  /** Told of operators that never match here, with the reason. */
  readonly onInactive: (draft: RuleDraft, reason: string) => void
}

/** Gives rules with the same variables and transformations the same group. */
export class TargetGroups {
  readonly #groups = new Map<string, TargetGroup>()
  readonly #lists = new Map<string, TargetList>()
  readonly #chains = new Map<string, Chain>()
  readonly #sources = new TargetSources()
  readonly #transformations: ReadonlyMap<string, Transformation>

  /** @param transformations the transformations of the rule set, by lower-cased name */
  constructor(transformations: ReadonlyMap<string, Transformation>) {
    this.#transformations = transformations
  }

  /** As {@link TargetSources.slots}. */
  get slots(): number {
    return this.#sources.slots
  }

  /** @param isMultiMatch whether every stage of the transformations is tested, and not only the last */
  groupOf(link: LinkDraft, chain: readonly string[], isMultiMatch: boolean): TargetGroup {
    const name = JSON.stringify([link.variables, chain, isMultiMatch])
    const group = this.#groups.get(name)
    if (group !== undefined) return group
    const newGroup = new TargetGroup(this.#listOf(link), this.#chainOf(chain), isMultiMatch)
    this.#groups.set(name, newGroup)
    return newGroup
  }

  /** One for all rules with the same transformations, which share what it makes of a value. */
  #chainOf(names: readonly string[]): Chain {
    const name = names.join()
    const chain = this.#chains.get(name)
    if (chain !== undefined) return chain
    const newChain = chainOf(names.map((one) => this.#transformationNamed(one)))
    this.#chains.set(name, newChain)
    return newChain
  }

  #transformationNamed(name: string): Transformation {
    const transformation = this.#transformations.get(name)
    if (transformation === undefined) throw new Error(`the transformation ${name} is not known`)
    return transformation
  }

  #listOf({ variables }: LinkDraft): TargetList {
    const name = JSON.stringify(variables)
    const list = this.#lists.get(name)
    if (list !== undefined) return list
    const newList = new TargetList(variables, this.#sources)
    this.#lists.set(name, newList)
    return newList
  }
}

/** Understood and without effect: what they tell is nobody's business here, or said by others. */
const silentActions: ReadonlySet<string> = new Set([
  'id',
  'phase',
  'msg',
  'logdata',
  'tag',
  'severity',
  'ver',
  'rev',
  'maturity',
  'accuracy',
  'log',
  'nolog',
  'auditlog',
  'noauditlog',
  'pass',
  'block',
  'deny',
  'drop',
  'redirect',
  'allow',
  'status',
  'chain',
  'skip',
  'skipafter',
  't',
  'capture',
  'multimatch',
])

/**
 * Compiles a rule and its chain.
 *
 * @param index its place among all rules
 * @param advance how far the phase goes on when it matches
 * @throws {RuleSetFailure}
 */
export function compileRule(draft: RuleDraft, index: number, advance: number, context: CompileContext): Rule {
  const first = [...draft.defaults, ...(draft.links[0]?.actions ?? [])]
  const rule = {
    index,
    metadata: at(draft, () => metadataOf(draft, first)),
    links: draft.links.map((link, place) =>
      at(link, () => ({
        ...compileLink(draft, link, context),
        isFirst: place === 0,
        isLast: place === draft.links.length - 1,
      })),
    ),
    disruption: at(draft, () => disruptionOf(draft, first)),
    ...loggingOf(first),
    advance,
  }
  return { ...rule, gate: context.prefilter && Gate.of(rule) }
}

function compileLink(
  draft: RuleDraft,
  link: LinkDraft,
  context: CompileContext,
): Pick<Link, 'test' | 'effects'> {
  const unknown = link.actions.find(({ name }) => !silentActions.has(name) && !isEffect(name))
  if (unknown !== undefined) throw new Error(`the action ${unknown.name} is not known`)
  return {
    test: compileTest(draft, link, context),
    effects: link.actions
      .filter(({ name }) => isEffect(name))
      .map((action) => effectOf(action, context.selectRules)),
  }
}

function compileTest(draft: RuleDraft, link: LinkDraft, context: CompileContext): Test | undefined {
  if (link.operator === undefined) return undefined
  const operator = compileOperator(link.operator, link.at, context.injections)
  const fixed = typeof operator === 'function' ? undefined : operator
  if (fixed?.inactive !== undefined) context.onInactive(draft, fixed.inactive)
  const isMultiMatch = link.actions.some(({ name }) => name === 'multimatch')
  const { isNegated } = link.operator
  const literals = isNegated ? undefined : fixed?.literals
  return {
    group: context.groups.groupOf(
      link,
      transformationNames([...draft.defaults, ...link.actions]),
      isMultiMatch,
    ),
    isNegated,
    operator,
    capturesResults: link.actions.some(({ name }) => name === 'capture'),
    prefilterNumber: context.prefilter?.addIfTelling(literals),
  }
}

/** The transformations that are left after the last `t:none`. */
function transformationNames(actions: readonly ActionSyntax[]): readonly string[] {
  const names = actions
    .filter(({ name }) => name === 't')
    .map(({ argument }) => (argument ?? '').toLowerCase())
  return names.slice(names.lastIndexOf('none') + 1)
}

/** Tells where something is wrong. */
function at<T>(place: RuleDraft | LinkDraft, compile: () => T): T {
  try {
    return compile()
  } catch (cause) {
    if (cause instanceof RuleSetFailure) throw cause
    throw new RuleSetFailure(place.at, cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
