import type { RuleExclusions, Transaction } from '@palisade/seclang'
import { allExclusions } from '../policy/all-exclusions.ts'
import type { Exchange } from './exchange.ts'
import { headerValue } from './hop-by-hop.ts'
import { mediaTypeOf } from './response-head.ts'

/** Whether rules are run for a request. */
export function isInspected({ runtime, mode }: Exchange): boolean {
  return runtime.rulesFor(mode) !== undefined
}

/** Whether rules or filters may look at the body of the answer, whatever that is. */
export function looksAtAnswers({ transaction, judge }: Exchange): boolean {
  return transaction !== undefined || judge.filters.readAnswers
}

/** Whether rules or filters look at the body of an answer with these headers. @param headers names and values in turn */
export function looksAtBody(exchange: Exchange, headers: readonly string[]): boolean {
  return (
    exchange.judge.filters.mayReadType(exchange, mediaTypeOf({ headers }).type) ||
    exchange.transaction?.looksAtAnswersOf(headerValue(headers, 'content-type')) === true
  )
}

/** The rules for a request, where it is inspected. @param more what they leave out besides what the exchange says */
export function newTransaction(exchange: Exchange, more?: RuleExclusions): Transaction | undefined {
  const { runtime, judge } = exchange
  const exclusions = allExclusions(allExclusions(exchange.exclusions, exchange.exceptions), more)
  return runtime.rulesFor(exchange.mode)?.newTransaction({
    uniqueId: exchange.id,
    ...(exclusions ? { exclusions } : {}),
    ...judge.ruleSettings,
    connection: {
      clientAddress: exchange.clientAddress,
      clientPort: exchange.clientPort,
      serverAddress: exchange.localAddress,
      serverPort: exchange.localPort,
    },
  })
}

/** Shows the rules the headers of the request. @returns what ends it */
export function showHeaders(
  { request, target, headers }: Exchange,
  transaction: Transaction | undefined,
): Exchange['interruption'] {
  return transaction?.requestHeaders({
    method: request.method ?? '',
    uri: target,
    protocol: `HTTP/${request.httpVersion}`,
    headers,
  })
}
