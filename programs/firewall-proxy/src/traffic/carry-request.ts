import { describe } from '../failure.ts'
import { ambiguityOf } from './ambiguous-request.ts'
import { block } from './block.ts'
import type { Exchange } from './exchange.ts'
import { forward } from './forward.ts'
import { headerValue } from './hop-by-hop.ts'
import { sendPage } from './pages.ts'
import { pathOf } from './path.ts'
import { bodyStream, hasBody, readBeginning } from './request-body.ts'

/**
 * Takes one request from the client to the answer: refuse what is ambiguous → redirect → rules on the headers → rules on the
 * body → forward. Nothing reaches a server before it was judged.
 */
export async function carryRequest(exchange: Exchange): Promise<void> {
  try {
    if (refuseAmbiguous(exchange)) return
    if (exchange.runtime.service.does === 'redirect') return redirectToHttps(exchange)
    await inspectAndForward(exchange)
  } catch (error) {
    if (exchange.isGone) return
    exchange.runtime.log.error({ err: error }, 'a request could not be carried')
    exchange.violation ??= { attack: 'Internal Error', detail: describe(error) }
    sendPage(exchange.response, 502, exchange.id, { closes: true })
  }
}

function refuseAmbiguous(exchange: Exchange): boolean {
  const ambiguity = ambiguityOf(exchange.request)
  if (ambiguity === undefined) return false
  exchange.violation = { attack: 'Malformed Request', detail: ambiguity.reason }
  sendPage(exchange.response, ambiguity.status, exchange.id, { closes: true })
  return true
}

/** Clients of plain HTTP are led to the same address over HTTPS, at its usual port. */
function redirectToHttps({ request, response, id }: Exchange): void {
  const host = (headerValue(request.rawHeaders, 'host') ?? '').replace(/:\d+$/, '')
  if (!/^[\w.:[\]-]+$/.test(host)) {
    sendPage(response, 400, id, { closes: true })
    return
  }
  const location = `https://${host}${pathOf(request.url ?? '/')}`
  sendPage(response, 301, id, { closes: hasBody(request), headers: { location } })
}

async function inspectAndForward(exchange: Exchange): Promise<void> {
  const { request, response, runtime } = exchange
  const withBody = hasBody(request)
  if (runtime.isClosedForLackOfRules) {
    exchange.violation = { attack: 'Service Unavailable', detail: 'There are no rules to judge requests by.' }
    return sendPage(response, 503, exchange.id, { closes: withBody })
  }
  const transaction = beginInspection(exchange)
  if (transaction === undefined) return forward(exchange, withBody ? bodyStream(request) : undefined)
  if (block(exchange, withBody)) return undefined
  if (!withBody || !transaction.wantsRequestBody) {
    exchange.interruption = transaction.requestBody(undefined)
    return block(exchange, withBody)
      ? undefined
      : forward(exchange, withBody ? bodyStream(request) : undefined)
  }
  exchange.askForBody()
  const beginning = await readBeginning(request, transaction.requestBodyLimitBytes)
  if (exchange.isGone) return undefined
  exchange.interruption = transaction.requestBody(beginning.bytes)
  if (block(exchange, !beginning.isWhole)) return undefined
  const { bytes, isWhole } = beginning
  return forward(exchange, isWhole ? bytes : bodyStream(request, bytes))
}

/** Starts the rules, where the service is inspected, and shows them the request's headers. */
function beginInspection(exchange: Exchange): Exchange['transaction'] {
  const { request, runtime } = exchange
  const transaction = runtime.rules?.newTransaction({
    uniqueId: exchange.id,
    connection: {
      clientAddress: exchange.clientAddress,
      clientPort: exchange.clientPort,
      serverAddress: exchange.localAddress,
      serverPort: exchange.localPort,
    },
  })
  exchange.transaction = transaction
  exchange.interruption = transaction?.requestHeaders({
    method: request.method ?? '',
    uri: request.url ?? '',
    protocol: `HTTP/${request.httpVersion}`,
    headers: request.rawHeaders,
  })
  return transaction
}
