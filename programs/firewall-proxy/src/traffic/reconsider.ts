import type { Violation } from '../exchange/exchange.ts'
import { shownName } from '../logs/shown-name.ts'
import { allExclusions } from '../policy/all-exclusions.ts'
import type { Excused } from '../second-opinions/second-look.ts'
import { newTransaction, showHeaders } from './inspection.ts'
import type { RequestContext } from './request-context.ts'

/**
 * A second opinion on a request that the rules have refused, where its service asks for one: the rules judge it anew without looking for
 * words in what cannot be an attack. When they refuse it all the same, everything stays as it was; when they do not, it goes on, and the
 * log says why.
 *
 * @param shown what the rules have seen of its body, where they came to that
 */
export function reconsider(context: RequestContext, shown?: { readonly body: Buffer | undefined }): void {
  const { exchange, judge } = context
  const { interruption, transaction } = exchange
  if (transaction === undefined || interruption?.ruleId === undefined) return
  const asked = judge.secondOpinions?.of(exchange)?.at(transaction)
  const understood = judge.secondStage?.at(transaction)
  const exclusions = allExclusions(asked?.exclusions, understood?.exclusions)
  if (exclusions === undefined) return
  const second = newTransaction(context, exclusions)
  const refused = showHeaders(exchange, second) ?? (shown && second?.requestBody(shown.body))
  if (refused !== undefined) return
  exchange.transaction = second
  exchange.interruption = undefined
  for (const excused of [...(asked?.excused ?? []), ...(understood?.excused ?? [])]) {
    exchange.violations.push(toldOf(excused))
  }
}

function toldOf({ target, rules, because }: Excused): Violation {
  const name = shownName(target, 80)
  const detail = `The rules ${rules.join(', ')} found ${name} like an attack, and did not block for it, since ${because}.`
  return { attack: 'second-opinion', category: 'Other Attacks', detail, action: 'LOG' }
}
