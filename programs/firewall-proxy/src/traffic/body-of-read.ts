import type { RuleExclusions, RuleSet } from '@palisade/seclang'
import { hasBody } from '../exchange/client-message.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { headerValue } from '../exchange/headers.ts'
import { isJson } from '../exchange/json-body.ts'
import { mediaTypeOf } from '../exchange/response-head.ts'
import { allExclusions } from '../policy/all-exclusions.ts'
import type { RequestContext } from './request-context.ts'

/*
 * A `GET` whose body is JSON: clients of Elasticsearch ask their queries so, and clients of many other interfaces send an empty object.
 * Rule 920170 refuses every `GET` with a body, since a server may pass over that and take it for the next request on its connection. No
 * request begins as JSON does. All other rules look through the body. Over HTTP/2 no header has to tell of a body, and the rule goes by headers.
 */

const bodyOfRead = { first: 920_170, last: 920_170 }

const json = /^application\/(?:[\w.-]+\+)?json$/

const prepared = new WeakMap<RuleSet, RuleExclusions>()

/**
 * What rules leave out of a `GET` that says it has JSON: releases that judge it by its headers would be too early otherwise. What is no JSON
 * then is a fault, see {@link faultsOfRead}.
 */
export function exclusionsOfRead(context: RequestContext): RuleExclusions | undefined {
  return saysJson(context.exchange) ? withoutRule(context) : undefined
}

/** What is wrong with a body of which rules could not judge by the headers whether it may be there, in a sentence. */
export function faultsOfRead(exchange: Exchange, body: Buffer): readonly string[] {
  const { method } = exchange.request
  if (body.length === 0 || !(saysJson(exchange) || isUntoldRead(exchange))) return []
  if (method === 'HEAD') return ['Its HEAD has a body.']
  return isJson(body) ? [] : ['The body of its GET is no JSON.']
}

function isUntoldRead({ request, headers }: Exchange): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  return ['content-length', 'transfer-encoding'].every((name) => headerValue(headers, name) === undefined)
}

/** Whether policies refuse faulty bodies is asked here: otherwise it stays with the rule. */
function saysJson(exchange: Exchange): boolean {
  if (exchange.request.method !== 'GET' || !hasBody(exchange.request)) return false
  const { type, charset } = mediaTypeOf(exchange)
  if (!json.test(type) || (charset !== '' && charset !== 'utf-8')) return false
  return exchange.judge.policy.actionFor('malformed-parameter').denies
}

/** Has rules leave it out for a `GET` that does not say what its body is. To be called before they see that. */
export function leaveOutUntypedRead(context: RequestContext, body: Buffer | undefined): void {
  const { exchange } = context
  const { request, transaction } = exchange
  if (request.method !== 'GET' || body === undefined || transaction === undefined) return
  if (mediaTypeOf(exchange).type !== '' || !isJson(body)) return
  exchange.exceptions = allExclusions(exchange.exceptions, withoutRule(context))
  const all = allExclusions(exchange.exclusions, exchange.exceptions)
  if (all) transaction.leaveOut(all)
}

function withoutRule({ exchange, runtime }: RequestContext): RuleExclusions | undefined {
  const rules = runtime.rulesFor(exchange.mode)
  if (rules === undefined) return undefined
  const exclusions = prepared.get(rules) ?? rules.exclusions([{ rules: bodyOfRead }])
  prepared.set(rules, exclusions)
  return exclusions
}
