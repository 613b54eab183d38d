import type { Readable } from 'node:stream'
import { systemCode } from '@palisade/private-files'
import { describe } from '@palisade/start-up'
import { pathOf } from '../exchange/address.ts'
import { isHttp2 } from '../exchange/client-message.ts'
import { asError } from '../failure.ts'
import type { BalancedServer } from '../servers/balance.ts'
import type { FailureKind } from '../servers/health.ts'
import type { Route } from '../servers/route.ts'
import { ServerUnavailable } from '../servers/server-connections.ts'
import { looksAtAnswers } from './inspection.ts'
import { sendPage } from './pages.ts'
import { PartOfAnswer, withoutRanges } from './parts.ts'
import type { RequestContext } from './request-context.ts'
import { ResponseRelay } from './response-relay.ts'

/** A server never saw the request when connecting failed with one of these. */
const neverSent = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The request could not be sent as it is, or was not as long as it said: nothing that a server could be blamed for. */
const notSendable = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', 'UND_ERR_ABORTED'])

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'])

const resets = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

const sentences: Readonly<Record<FailureKind, string>> = {
  refused: 'It cannot be reached',
  timeout: 'It did not answer in time',
  other: 'It gave no usable answer',
}

/** Methods that change nothing, so that a request may be sent again. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Hands a judged request to a server, and to the next one as long as a server cannot have seen it. Ends when the response was
 * sent or will not be.
 *
 * @param body undefined for a request without one
 */
export async function forward(context: RequestContext, body: Readable | Buffer | undefined): Promise<void> {
  const { exchange, runtime } = context
  const { response } = exchange
  const triedServers = new Set<BalancedServer>()
  // Only a plain GET can ask for parts, and be asked anew for the whole.
  let mayAskForParts = (body === undefined && exchange.request.method === 'GET') || !looksAtAnswers(context)
  let mayRepeat = body === undefined && safeMethods.has(exchange.request.method ?? '')
  const route = runtime.routes.of(exchange)
  exchange.logsAccess = route.logsAccess
  let chosen = route.pick(exchange, triedServers)
  while (chosen !== undefined) {
    const failure = await attempt(context, { route, chosen, body, mayAskForParts })
    if (failure === undefined || exchange.isGone) return
    if (failure instanceof PartOfAnswer && mayAskForParts) {
      mayAskForParts = false
      continue
    }
    if (failure instanceof ServerUnavailable) {
      triedServers.add(chosen)
      chosen = failure.othersMayServe && canBeSentAgain(body) ? route.pick(exchange, triedServers) : undefined
      continue
    }
    const code = systemCode(failure) ?? ''
    if (notSendable.has(code)) return sendPage(exchange, 400, { closes: body !== undefined })
    const kind = kindOf(code)
    if (neverSent.has(code)) triedServers.add(chosen)
    if (chosen.pool.health.failed(kind, `${sentences[kind]}: ${describe(failure)}.`)) runtime.onNews()
    // A kept connection may be closed by the server just as it is used again; who has begun to answer has not done that.
    const isRepeated = mayRepeat && resets.has(code) && exchange.answeredAt === undefined
    mayRepeat = false
    const isPassedOn = neverSent.has(code) && canBeSentAgain(body)
    const next = isPassedOn ? route.pick(exchange, triedServers) : isRepeated ? chosen : undefined
    if (response.headersSent || next === undefined) {
      return sendPage(exchange, timeouts.has(code) ? 504 : 502, { closes: body !== undefined })
    }
    chosen = next
  }
  sendPage(exchange, 503, { closes: body !== undefined })
}

function kindOf(code: string): FailureKind {
  if (neverSent.has(code)) return 'refused'
  return timeouts.has(code) ? 'timeout' : 'other'
}

/** A stream that was begun is gone. */
function canBeSentAgain(body: Readable | Buffer | undefined): boolean {
  return body === undefined || Buffer.isBuffer(body) || !(body.readableDidRead || body.destroyed)
}

/** How a request is given to one server. */
interface Attempt {
  readonly route: Route
  readonly chosen: BalancedServer
  readonly body: Readable | Buffer | undefined
  readonly mayAskForParts: boolean
}

/** @returns why the server did not answer; undefined when it did */
function attempt(
  context: RequestContext,
  { route, chosen, body, mayAskForParts }: Attempt,
): Promise<Error | undefined> {
  const { exchange, runtime } = context
  const { request } = exchange
  const { server, pool } = chosen
  exchange.server = server
  exchange.sentAt = runtime.now()
  exchange.trace?.enter('upstream')
  exchange.askForBody()
  return new Promise((resolve) => {
    try {
      pool.connections.dispatch(
        {
          method: request.method ?? 'GET',
          path: pathOf(exchange.target),
          headers: forwardedHeaders(context, mayAskForParts),
          body,
          asksForWebSocket: exchange.upgrade !== undefined,
          client: isHttp2(exchange.response) ? undefined : request.socket,
        },
        new ResponseRelay(context, { chosen, persistence: route.persistence }, resolve),
      )
    } catch (error) {
      resolve(asError(error))
    }
  })
}

/**
 * The request's headers as the server gets them: the address of who is connected to us behind those that proxies before us have told, and the
 * request's id; of a request that is recorded, the trace as well. Where answers are inspected, they are asked for without compression.
 */
function forwardedHeaders(context: RequestContext, mayAskForParts: boolean): string[] {
  const { headers: seen, peerAddress, id, trace } = context.exchange
  const isReadHere = looksAtAnswers(context)
  let forwardedFor = ''
  const headers: string[] = []
  const ranged = mayAskForParts ? seen : withoutRanges(seen)
  const all = trace === undefined ? ranged : withoutTraceparent(ranged)
  for (let index = 0; index < all.length; index += 2) {
    const name = all[index] ?? ''
    const value = all[index + 1] ?? ''
    // Only names as long as those three have to be looked at.
    if (name.length === 15 || name.length === 12) {
      const lower = name.toLowerCase()
      if (lower === 'x-forwarded-for') {
        forwardedFor += `${value}, `
        continue
      }
      if (lower === 'x-request-id' || (isReadHere && lower === 'accept-encoding')) continue
    }
    headers.push(name, value)
  }
  headers.push('X-Forwarded-For', forwardedFor + peerAddress, 'X-Request-Id', id)
  if (trace !== undefined) headers.push('traceparent', trace.traceparent)
  return headers
}

/** The server is told of our span in the place of the client's. */
function withoutTraceparent(headers: readonly string[]): readonly string[] {
  return headers.filter((_, index) => headers[index - (index % 2)]?.toLowerCase() !== 'traceparent')
}
