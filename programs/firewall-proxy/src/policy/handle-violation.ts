import type { Answer } from '../exchange/answer.ts'
import type { Exchange, Violation } from '../exchange/exchange.ts'
import { followUp, followUpOf, nameOfFollowUp } from './follow-up.ts'
import { suspect } from './suspicion.ts'

/**
 * Says what is wrong with a request or its answer. What follows is up to the service's policy: whether it is logged, whether the
 * request goes on, how its client is answered, and whether further requests of the client are refused for a while.
 *
 * @param options whether the rule that was broken is one that only logs, in a service that blocks; whether it is logged at all
 * @returns what the client gets for it; undefined when the request goes on
 */
export function handleViolation(
  exchange: Exchange,
  violation: Violation,
  { isPassive = false, isLogged = true }: { readonly isPassive?: boolean; readonly isLogged?: boolean } = {},
): Answer | undefined {
  const { mode, judge } = exchange
  if (mode === 'off') return undefined
  const reaction = judge.policy.actionFor(violation.attack)
  const { category, denies, logs } = reaction
  const next = followUpOf(reaction)
  const isDenied = denies && mode === 'active' && !isPassive
  if (logs && isLogged) {
    exchange.violations.push({
      category,
      action: isDenied ? 'DENY' : 'LOG',
      ...(isDenied && next ? { followUp: nameOfFollowUp(next) } : {}),
      ...violation,
    })
  }
  if (!isDenied) return undefined
  if (next !== undefined) followUp(exchange, next)
  suspect(exchange)
  return judge.policy.answerTo(violation.attack, exchange)
}
