import type { Readable } from 'node:stream'
import { describe } from '@palisade/start-up'
import { isTracing } from '@palisade/tracing'
import { endOfTurn } from '../event-loop-turn.ts'
import { pathOf } from '../exchange/address.ts'
import type { Answer, RequestBody } from '../exchange/answer.ts'
import { hasBody } from '../exchange/client-message.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { endToEndHeaders, headerValue, withoutHeader } from '../exchange/headers.ts'
import { RequestTrace } from '../exchange/request-trace.ts'
import { handleViolation } from '../policy/handle-violation.ts'
import { awaitTurn } from '../rate-control/await-turn.ts'
import { ambiguityOf } from './ambiguous-request.ts'
import { block } from './block.ts'
import { faultsOfRead, leaveOutUntypedRead } from './body-of-read.ts'
import { withoutContentCoding } from './content-coding.ts'
import { forward } from './forward.ts'
import { isInspected, newTransaction, showHeaders } from './inspection.ts'
import { sendPage } from './pages.ts'
import { reconsider } from './reconsider.ts'
import { bodyStream, readBeginning } from './request-body.ts'
import type { RequestContext } from './request-context.ts'
import { sendAnswer } from './send-answer.ts'
import type { ServiceRuntime } from './service-runtime.ts'

/** What policies call a body that cannot be judged for certain. */
const attackOfFaultyBody = 'malformed-parameter'

/** How much of a body is looked at that only filters want to see. */
const bodyLimitBytes = 128 * 1024

/** A body of which it is known that it is as short as this, in bytes, is not streamed. */
const shortBodyMax = 8 * 1024

const lackOfRoom = {
  full: 'Its body could not be held to be judged, since others took all the memory for that.',
  slow: 'Its body came so slowly that others waited too long for the memory that it took.',
} as const

/**
 * Takes one request from the client to the answer: refuse what is ambiguous → answer authorities → redirect → filters and rules on the headers →
 * filters and rules on the body → filters that rewrite → forward. Nothing reaches a server before it was judged.
 */
export async function carryRequest(exchange: Exchange, runtime: ServiceRuntime): Promise<void> {
  if (isTracing()) trace(exchange, runtime)
  try {
    if (refuseAmbiguous(exchange)) return
    const proof = runtime.challenges.ofRequest(pathOf(exchange.request.url ?? '/'))
    if (proof) return sendAnswer(exchange, proof, hasBody(exchange.request))
    if (runtime.service.does === 'redirect') return redirectToHttps(exchange)
    await inspectAndForward(exchange, runtime)
  } catch (error) {
    if (exchange.isGone) return
    runtime.log.error({ err: error, requestId: exchange.id }, 'a request could not be carried')
    exchange.violations.push({ attack: 'Internal Error', detail: describe(error) })
    apologise(exchange)
  }
}

function trace(exchange: Exchange, { service }: ServiceRuntime): void {
  const { id, request, isSecure } = exchange
  const { method, headers } = request
  const { traceparent } = headers
  exchange.trace = RequestTrace.begin({ id, method, traceparent, service: service.name, isSecure })
  exchange.trace?.enter('inspection')
}

/** Answers with status 502, or cuts the client off where that fails as well, as after a head that HTTP/2 has refused. */
function apologise(exchange: Exchange): void {
  try {
    sendPage(exchange, 502, { closes: true })
  } catch {
    exchange.response.destroy()
  }
}

function refuseAmbiguous(exchange: Exchange): boolean {
  const ambiguity = ambiguityOf(exchange.request)
  if (ambiguity === undefined) return false
  exchange.violations.push({ attack: 'invalid-or-malformed-http-request', detail: ambiguity.reason })
  sendPage(exchange, ambiguity.status, { closes: true })
  return true
}

/** Clients of plain HTTP are led to the same address over HTTPS, at its usual port. */
function redirectToHttps(exchange: Exchange): void {
  const { request, headers } = exchange
  const host = (headerValue(headers, 'host') ?? '').replace(/:\d+$/, '')
  if (!/^[\w.:[\]-]+$/.test(host)) {
    sendPage(exchange, 400, { closes: true })
    return
  }
  const location = `https://${host}${pathOf(request.url ?? '/')}`
  sendPage(exchange, 301, { closes: hasBody(request), headers: { location } })
}

async function inspectAndForward(exchange: Exchange, runtime: ServiceRuntime): Promise<void> {
  const { request } = exchange
  const withBody = hasBody(request)
  const { judge, refusal } = runtime.judges.onRequest(exchange)
  const context = { exchange, runtime, judge }
  const { filters, crawlers, tarpit, isClosedForLackOfRules } = judge
  if (isClosedForLackOfRules) {
    const { rules } = runtime
    const detail = 'problem' in rules ? rules.problem : 'There are no rules to judge requests by.'
    exchange.violations.push({ attack: 'Service Unavailable', detail })
    return sendPage(exchange, 503, { closes: withBody })
  }
  if (refusal) return sendAnswer(exchange, refusal, withBody)
  const caught = crawlers && (await crawlers.refusal(exchange))
  if (exchange.isGone) return undefined
  if (caught) return sendAnswer(exchange, caught, withBody)
  const slowed = tarpit && (await tarpit.wait(exchange))
  const turnedAway = slowed ?? (runtime.requestPool && (await awaitTurn(exchange, runtime.requestPool)))
  if (exchange.isGone) return undefined
  if (turnedAway) return sendAnswer(exchange, turnedAway, withBody)
  if (exchange.waiting !== undefined && (await isAnsweredAfterWaiting(context, exchange.waiting)))
    return undefined
  // A body is read from its beginning on: what had come of it before would come in spite of a pause.
  if (!withBody && isInspected(context)) {
    await endOfTurn()
    if (exchange.isGone) return undefined
    runtime.worksOn(exchange)
  }
  beginInspection(context)
  if (block(exchange, withBody)) return undefined
  const { transaction } = exchange
  const isBodyForRules = transaction?.wantsRequestBody === true
  if (withBody && (isBodyForRules || filters.wantBody(exchange))) {
    return inspectBody(context, transaction?.requestBodyLimitBytes ?? bodyLimitBytes)
  }
  showBody(context, undefined)
  if (block(exchange, withBody)) return undefined
  if (withBody && hasShortBody(request)) return handOverWhole(context)
  return handOver(context, withBody ? bodyStream(exchange) : undefined)
}

/** Waits for what filters wait for. @returns whether the request was answered, or nobody waits any more */
async function isAnsweredAfterWaiting(
  context: RequestContext,
  waiting: NonNullable<Exchange['waiting']>,
): Promise<boolean> {
  const { exchange } = context
  let isRead = !hasBody(exchange.request)
  const answer = await waiting(async (limitBytes) => {
    if (isRead) return { bytes: Buffer.alloc(0), isWhole: true }
    exchange.askForBody()
    const body = await readBeginning(context, limitBytes)
    isRead = body.isWhole
    return body
  })
  if (exchange.isGone) return true
  if (answer !== undefined) sendAnswer(exchange, answer, !isRead)
  return answer !== undefined
}

/** Waits for a short body and hands it over in one piece with its request, as it mostly has come; a stream costs a fifth more. */
async function handOverWhole(context: RequestContext): Promise<void> {
  const { exchange } = context
  exchange.askForBody()
  const { bytes } = await readBeginning(context, shortBodyMax)
  if (exchange.isGone) return undefined
  return handOver(context, bytes)
}

function hasShortBody({ headers }: Exchange['request']): boolean {
  // What is not there is no number.
  return Number(headers['content-length']) <= shortBodyMax
}

/** Reads the body before anything of it goes on, up to a limit in bytes. */
async function inspectBody(context: RequestContext, limitBytes: number): Promise<void> {
  const { exchange, runtime, judge } = context
  const { transaction } = exchange
  exchange.askForBody()
  const body = await readBeginning(context, limitBytes)
  if (transaction) await endOfTurn()
  if (exchange.isGone) return undefined
  runtime.worksOn(exchange)
  if (body.lacksRoom !== undefined) return carryUnread(context, body.bytes, body.lacksRoom)
  const decoded = withoutContentCoding(exchange.headers, body, limitBytes)
  const plain = { ...decoded, ...withoutOwnFields(context, body, decoded) }
  const bytes = decoded.bytes === body.bytes ? plain.bytes : body.bytes
  const { storedTraffic } = runtime.service
  if (storedTraffic && body.isWhole && plain.bytes.length <= storedTraffic.bodyBytesMax)
    exchange.judgedBody = plain.bytes
  const refused = judge.filters.onBody(exchange, plain)
  if (refused) return sendAnswer(exchange, refused, !body.isWhole)
  showBody(context, transaction?.wantsRequestBody ? plain.bytes : undefined)
  if (block(exchange, !body.isWhole)) return undefined
  const faulty =
    transaction && refuseFaultyBody(exchange, [...plain.faults, ...faultsOfRead(exchange, plain.bytes)])
  if (faulty) return sendAnswer(exchange, faulty, !body.isWhole)
  return handOver(context, body.isWhole ? bytes : bodyStream(exchange, bytes))
}

/** What was put into the form here goes no further; how long the body is without it is told. */
function withoutOwnFields(
  { exchange, judge }: RequestContext,
  { bytes: asItCame }: RequestBody,
  decoded: RequestBody,
): RequestBody {
  if (decoded.bytes !== asItCame) return decoded
  const stripped = judge.filters.withoutOwnFields(exchange, decoded)
  const removedBytes = decoded.bytes.length - stripped.bytes.length
  const length = headerValue(exchange.headers, 'content-length')
  if (removedBytes > 0 && length !== undefined) {
    const others = withoutHeader(exchange.headers, 'content-length')
    exchange.headers = [...others, 'Content-Length', String(Number(length) - removedBytes)]
  }
  return stripped
}

/**
 * There was no room to hold the body: a service that blocks refuses the request, since nobody can judge it, and another one lets it
 * pass unread.
 */
async function carryUnread(context: RequestContext, beginning: Buffer, why: 'full' | 'slow'): Promise<void> {
  const { exchange } = context
  const blocks = exchange.mode === 'active'
  exchange.violations.push({
    attack: 'Service Unavailable',
    detail: lackOfRoom[why],
    ...(blocks ? {} : { action: 'LOG' }),
  })
  if (blocks) return sendPage(exchange, why === 'slow' ? 408 : 503, { closes: true })
  showBody(context, undefined)
  if (block(exchange, true)) return undefined
  return handOver(context, bodyStream(exchange, beginning))
}

/** Gives a judged request to a server, as filters want it to be seen there. */
async function handOver(context: RequestContext, body: Readable | Buffer | undefined): Promise<void> {
  const { exchange, judge } = context
  // Before it is sent, the rules see all others whose turn it is.
  if (exchange.transaction) await undefined
  if (exchange.isGone) return undefined
  // A client cannot name a header that is only now put there and have it taken away.
  exchange.headers = endToEndHeaders(exchange.headers)
  const answer = judge.filters.onJudged(exchange)
  if (answer) return sendAnswer(exchange, answer, body !== undefined && !Buffer.isBuffer(body))
  await forward(context, body)
}

/** Starts the rules, where the service is inspected, and shows them the request's headers. */
function beginInspection(context: RequestContext): void {
  const { exchange } = context
  exchange.transaction = newTransaction(context)
  exchange.interruption = showHeaders(exchange, exchange.transaction)
  reconsider(context)
}

/** Shows the rules the request's body, after its headers. */
function showBody(context: RequestContext, body: Buffer | undefined): void {
  const { exchange } = context
  leaveOutUntypedRead(context, body)
  exchange.interruption = exchange.transaction?.requestBody(body)
  reconsider(context, { body })
}

/**
 * Says what is wrong with a body that rules have seen: that it is not what it claims to be, or that servers could understand it otherwise.
 *
 * @param faults a sentence each, besides what the reader of bodies says
 * @returns what the client gets for it; undefined when the request goes on
 */
function refuseFaultyBody(exchange: Exchange, faults: readonly string[]): Answer | undefined {
  const all = [...faults, ...(exchange.transaction?.bodyFaults ?? [])]
  return all.length === 0
    ? undefined
    : handleViolation(exchange, { attack: attackOfFaultyBody, detail: [...new Set(all)].join(' ') })
}
