import type { Answer } from '../exchange/answer.ts'
import type { Exchange, Violation } from '../exchange/exchange.ts'

const attack = 'deny-acl-matched'

/** Refuses a client that has no right to come, also in a service that only logs what it finds. */
export function denyInEveryMode(
  exchange: Exchange,
  { detail, rule }: Required<Pick<Violation, 'detail' | 'rule'>>,
): Answer {
  const { policy } = exchange.judge
  const { category } = policy.actionFor(attack)
  exchange.violations.push({ attack, category, detail, rule, action: 'DENY' })
  return policy.answerTo(attack, exchange)
}
