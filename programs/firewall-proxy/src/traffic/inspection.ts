import type { RuleExclusions, Transaction } from '@palisade/seclang'
import type { Exchange } from '../exchange/exchange.ts'
import { headerValue } from '../exchange/headers.ts'
import { mediaTypeOf } from '../exchange/response-head.ts'
import { allExclusions } from '../policy/all-exclusions.ts'
import { exclusionsOfRead } from './body-of-read.ts'
import type { RequestContext } from './request-context.ts'

/** Whether rules are run for a request. */
export function isInspected({ exchange, runtime }: RequestContext): boolean {
  return runtime.rulesFor(exchange.mode) !== undefined
}

/** Whether rules or filters may look at the body of the answer, whatever that is. */
export function looksAtAnswers({ exchange, judge }: RequestContext): boolean {
  return exchange.transaction !== undefined || judge.filters.readAnswers
}

/** Whether rules or filters look at the body of an answer with these headers. @param headers names and values in turn */
export function looksAtBody({ exchange, judge }: RequestContext, headers: readonly string[]): boolean {
  return (
    judge.filters.mayReadType(exchange, mediaTypeOf({ headers }).type) ||
    exchange.transaction?.looksAtAnswersOf(headerValue(headers, 'content-type')) === true
  )
}

/** The rules for a request, where it is inspected. @param more what they leave out besides what the exchange says */
export function newTransaction(context: RequestContext, more?: RuleExclusions): Transaction | undefined {
  const { exchange, runtime, judge } = context
  const ofRequest = allExclusions(exchange.exclusions, exchange.exceptions)
  const exclusions = allExclusions(allExclusions(ofRequest, exclusionsOfRead(context)), more)
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
