import type { VariableCollection } from '../collections/variable-collection.ts'
import type { Chain } from '../content/chain.ts'
import { Content } from '../content/content.ts'
import { plainTarget, type Target } from '../content/target.ts'
import { matchLimitExceeded, type Operator } from '../matching/index.ts'
import { matchWithinLimit } from './match-limit.ts'
import type { GateQuestion, Rule, RuleGate, Test } from './rule.ts'
import type { TxVariable } from './target-list.ts'

/** In characters. A longer value is not cached: V8 makes it a slice, which keeps the whole text alive that it was cut from. */
export const cachedLengthMax = 12

/**
 * The beginning of a rule that asks for nothing but single variables of TX. Two thirds of the rules of the Core Rule Set that run for
 * an ordinary request only ask for the level of paranoia, or for what another rule has counted.
 */
export class Gate implements RuleGate {
  readonly isAllOfRule: boolean
  readonly questions: readonly Question[]

  private constructor(questions: readonly Question[], isAllOfRule: boolean) {
    this.questions = questions
    this.isAllOfRule = isAllOfRule
  }

  /** Undefined where a rule begins with something else. */
  static of(rule: Omit<Rule, 'gate'>): Gate | undefined {
    const test = rule.links[0]?.test
    const variables = test?.group.txVariables
    if (test === undefined || variables === undefined) return undefined
    const { operator } = test
    if (typeof operator === 'function') return undefined
    return new Gate(
      variables.map((variable) => new Question(variable, test, operator)),
      isOnlyGate(rule),
    )
  }

  matched(tx: VariableCollection): [Target, ...Target[]] | undefined {
    let targets: [Target, ...Target[]] | undefined
    for (const question of this.questions) {
      const target = question.matched(tx)
      if (target === undefined) continue
      if (targets === undefined) targets = [target]
      else targets.push(target)
    }
    return targets
  }
}

/** Whether one variable matches. What the answer is for a value is remembered, and transactions mostly share their values. */
class Question implements GateQuestion {
  readonly lowerKey: string
  /** For none and for one; undefined where the value itself is asked for. */
  readonly #counts: readonly [Target, Target] | undefined
  readonly #operator: Operator
  readonly #isNegated: boolean
  readonly #chain: Chain
  #lastTarget: Target | undefined
  #isMatch = false

  constructor({ lowerKey, isCounted }: TxVariable, { isNegated, group }: Test, operator: Operator) {
    this.lowerKey = lowerKey
    this.#counts = isCounted ? [countTarget('0'), countTarget('1')] : undefined
    this.#operator = operator
    this.#isNegated = isNegated
    this.#chain = group.chain
  }

  mayMatch(variable: Target | undefined): boolean {
    const target = this.#targetOf(variable)
    if (target === undefined) return false
    if (target === this.#lastTarget) return this.#isMatch
    const match = target.content.through(this.#chain).match(this.#operator)
    return match === matchLimitExceeded || (match === undefined) === this.#isNegated
  }

  matched(tx: VariableCollection): Target | undefined {
    const target = this.#targetOf(tx.byKey(this.lowerKey)[0])
    return target !== undefined && this.#matches(target, tx) ? target : undefined
  }

  #targetOf(variable: Target | undefined): Target | undefined {
    return this.#counts === undefined ? variable : this.#counts[variable === undefined ? 0 : 1]
  }

  #matches(target: Target, tx: VariableCollection): boolean {
    if (target === this.#lastTarget) return this.#isMatch
    const { content } = target
    const match = matchWithinLimit(content.through(this.#chain).match(this.#operator), tx)
    const isMatch = (match === undefined) === this.#isNegated
    if (content.text.length > cachedLengthMax) return isMatch
    this.#lastTarget = target
    this.#isMatch = isMatch
    return isMatch
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
