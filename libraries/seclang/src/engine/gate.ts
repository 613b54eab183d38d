import type { VariableCollection } from '../collections/variable-collection.ts'
import type { Chain } from '../content/chain.ts'
import { Content } from '../content/content.ts'
import { plainTarget, type Target } from '../content/target.ts'
import type { Operator } from '../matching/index.ts'
import { matchWithinLimit } from './match-limit.ts'
import type { Rule, RuleGate, Test } from './rule.ts'
import type { TxVariable } from './target-list.ts'

/** The answer for a longer value is found anew each time: V8 makes a slice of one, and who keeps that keeps all that it is cut from. */
const keptLengthMax = 12

/**
 * The beginning of a rule that asks for nothing but one variable of TX. Two thirds of the rules of the Core Rule Set that run for
 * an ordinary request only ask for the level of paranoia, or for what another rule has counted. What the answer is for a value is
 * remembered, and transactions mostly share their values.
 */
export class Gate implements RuleGate {
  readonly isAllOfRule: boolean
  readonly #lowerKey: string
  /** For none and for one; undefined where the value itself is asked for. */
  readonly #counts: readonly [Target, Target] | undefined
  readonly #operator: Operator
  readonly #isNegated: boolean
  readonly #chain: Chain
  #lastTarget: Target | undefined
  #isOpen = false

  private constructor(
    { lowerKey, isCounted }: TxVariable,
    test: Test,
    operator: Operator,
    isAllOfRule: boolean,
  ) {
    this.isAllOfRule = isAllOfRule
    this.#lowerKey = lowerKey
    this.#counts = isCounted ? [countTarget('0'), countTarget('1')] : undefined
    this.#operator = operator
    this.#isNegated = test.isNegated
    this.#chain = test.group.chain
  }

  /** Undefined where a rule begins with something else. */
  static of(rule: Omit<Rule, 'gate'>): Gate | undefined {
    const test = rule.links[0]?.test
    const variable = test?.group.txVariable
    if (test === undefined || variable === undefined || typeof test.operator === 'function') return undefined
    return new Gate(variable, test, test.operator, isOnlyGate(rule))
  }

  matched(tx: VariableCollection): Target | undefined {
    const [variable] = tx.byKey(this.#lowerKey)
    const target = this.#counts === undefined ? variable : this.#counts[variable === undefined ? 0 : 1]
    if (target === undefined) return undefined
    return this.#opensFor(target, tx) ? target : undefined
  }

  #opensFor(target: Target, tx: VariableCollection): boolean {
    if (target === this.#lastTarget) return this.#isOpen
    const { content } = target
    const match = matchWithinLimit(content.through(this.#chain).match(this.#operator), tx)
    const isOpen = (match === undefined) === this.#isNegated
    if (content.text.length > keptLengthMax) return isOpen
    this.#lastTarget = target
    this.#isOpen = isOpen
    return isOpen
  }
}

function isOnlyGate({ links, metadata, disruption, isLogged, isAuditLogged }: Omit<Rule, 'gate'>): boolean {
  const [first, second] = links
  return (
    second === undefined &&
    first?.effects.length === 0 &&
    first.test?.capturesResults === false &&
    metadata.severity === undefined &&
    disruption.kind === 'pass' &&
    !isLogged &&
    !isAuditLogged
  )
}

function countTarget(count: string): Target {
  return plainTarget('TX', new Content(count))
}
