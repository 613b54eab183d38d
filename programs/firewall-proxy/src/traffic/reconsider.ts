import type { Interruption, Transaction } from '@palisade/seclang'
import type { Exchange, Violation } from '../exchange/exchange.ts'
import { shownName } from '../logs/shown-name.ts'
import { allExclusions } from '../policy/all-exclusions.ts'
import type { HarmlessParameter } from '../second-opinions/second-look.ts'
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
  const { exchange } = context
  const second = reconsidered(
    context,
    exchange,
    (transaction) => showHeaders(exchange, transaction) ?? (shown && transaction?.requestBody(shown.body)),
  )
  if (second === undefined) return
  exchange.transaction = second.transaction
  exchange.interruption = undefined
  exchange.violations.push(...second.violations)
}

/**
 * The same for whatever the rules were shown, such as a message.
 *
 * @param first what came of it @param show shows it to the rules once more
 * @returns what takes the place of what came of it; undefined where it stays
 */
export function reconsidered(
  context: RequestContext,
  first: Pick<Exchange, 'transaction' | 'interruption'>,
  show: (transaction: Transaction | undefined) => Interruption | undefined,
): Pick<Exchange, 'transaction' | 'violations'> | undefined {
  const { exchange, judge } = context
  const { interruption, transaction } = first
  if (transaction === undefined || interruption?.ruleId === undefined) return undefined
  const opinion = judge.secondOpinions?.of(exchange)?.at(transaction)
  const understood = judge.secondStage?.at(transaction)
  const exclusions = allExclusions(opinion?.exclusions, understood?.exclusions)
  if (exclusions === undefined) return undefined
  const second = newTransaction(context, exclusions)
  if (show(second) !== undefined) return undefined
  const violations = [...(opinion?.excused ?? []), ...(understood?.excused ?? [])].map(toldOf)
  return { transaction: second, violations }
}

function toldOf({ target, rules, because }: HarmlessParameter): Violation {
  const name = shownName(target, 80)
  const detail = `The rules ${rules.join(', ')} found ${name} like an attack, and did not block for it, since ${because}.`
  return { attack: 'second-opinion', category: 'Other Attacks', detail, action: 'LOG' }
}
