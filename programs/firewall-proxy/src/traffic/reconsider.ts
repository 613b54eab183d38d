import type { Violation } from '../exchange/exchange.ts'
import { shownName } from '../logs/shown-name.ts'
import type { Excused } from '../second-opinions/second-look.ts'
import { newTransaction, showHeaders } from './inspection.ts'
import type { RequestContext } from './request-context.ts'

const reasons: Readonly<Record<Excused['because'], string>> = {
  'ordinary-text': 'it is ordinary text, in which libinjection finds nothing',
  'known-there': 'exceptions leave out other rules of their sort for it',
}

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
  if (judge.secondOpinions === undefined || interruption?.ruleId === undefined) return
  const opinion = transaction && judge.secondOpinions.of(exchange)?.at(transaction)
  if (opinion === undefined) return
  const second = newTransaction(context, opinion.exclusions)
  const refused = showHeaders(exchange, second) ?? (shown && second?.requestBody(shown.body))
  if (refused !== undefined) return
  exchange.transaction = second
  exchange.interruption = undefined
  for (const excused of opinion.excused) exchange.violations.push(toldOf(excused))
}

function toldOf({ target, rules, because }: Excused): Violation {
  const name = shownName(target, 80)
  const detail = `The rules ${rules.join(', ')} found ${name} like an attack, and did not block for it, since ${reasons[because]}.`
  return { attack: 'second-opinion', category: 'Other Attacks', detail, action: 'LOG' }
}
