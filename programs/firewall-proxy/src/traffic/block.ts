import type { Exchange } from '../exchange/exchange.ts'
import { followUp, followUpOf } from '../policy/follow-up.ts'
import { attackOfMatch } from '../policy/rule-attacks.ts'
import { suspect } from '../policy/suspicion.ts'
import { sendPage } from './pages.ts'
import { sendAnswer } from './send-answer.ts'

/** What a page says that a request was refused for, where rules of no known attack refused it. */
const unnamedAttack = 'Core Rule Set'

/**
 * Answers in the place of the server when the rules want that: as the policy says for the attack that they found.
 *
 * @param closes whether a part of the request was not read
 * @returns whether it was answered
 */
export function block(exchange: Exchange, closes: boolean): boolean {
  const { interruption, response, judge } = exchange
  if (interruption === undefined) return false
  const { action, status, location, ruleId } = interruption
  if (action === 'drop') response.destroy()
  else if (action === 'redirect' && location !== undefined) {
    sendPage(exchange, status, { closes, headers: { location } })
  } else if (ruleId === undefined || judge.policy.snapshot === undefined) {
    sendPage(exchange, status, { closes })
  } else refuse(exchange, closes)
  return true
}

function refuse(exchange: Exchange, closes: boolean): void {
  const { policy } = exchange.judge
  const attack = refusedAttack(exchange, exchange.transaction) ?? unnamedAttack
  const next = followUpOf(policy.actionFor(attack))
  if (next !== undefined) followUp(exchange, next)
  suspect(exchange)
  sendAnswer(exchange, policy.answerTo(attack, exchange), closes)
}

/** The first attack that the rules found and that the policy refuses. */
export function refusedAttack({ judge }: Exchange, transaction: Exchange['transaction']): string | undefined {
  return transaction?.matches
    .map(attackOfMatch)
    .find((attack) => attack !== undefined && judge.policy.actionFor(attack).denies)
}
