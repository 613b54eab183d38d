import type { SnapshotServer } from '@palisade/proxy-protocol'
import { type Dispatcher, Pool } from 'undici'
import { headerValues, withoutHeader } from '../exchange/headers.ts'
import { limitedConnectorOf, localAddressOf, originOf } from './connecting.ts'
import { logsConnectionIn } from './connection-login.ts'
import { Http1Connections } from './http1/http1-connections.ts'
import {
  type AnswerReceiver,
  type ServerAnswer,
  type ServerConnections,
  type ServerRequest,
  TooManyWaiting,
} from './server-connections.ts'

const firstFinalStatus = 200

/**
 * Connections to a server that may speak HTTP/2, by undici, which finds out whether it does. HTTP/1.1 is spoken for
 *
 * - WebSockets: few servers know them over HTTP/2, where none says what a client of HTTP/1.1 waits for;
 * - clients that log in by their connection, which several share over HTTP/2;
 * - requests with a body: when one is aborted whose body has not gone out, undici destroys its stream at once, and Node's HTTP/2 sends
 *   empty frames for it from then on, in a loop in which this process does nothing else any more.
 */
export class Http2Connections implements ServerConnections {
  readonly #pool: Pool
  readonly #http1: Http1Connections
  readonly #waitingMax: number

  constructor(server: SnapshotServer) {
    const { keepAliveMs, connectionsMax, requestsPerConnectionMax, responseTimeoutMs } = server
    this.#waitingMax = server.waitingMax || Number.POSITIVE_INFINITY
    this.#http1 = new Http1Connections(server)
    this.#pool = new Pool(originOf(server), {
      allowH2: true,
      connections: connectionsMax === 0 ? null : connectionsMax,
      // Without pipelining a connection is closed after its request.
      pipelining: keepAliveMs === 0 ? 0 : 1,
      ...(requestsPerConnectionMax === 0 ? {} : { maxRequestsPerClient: requestsPerConnectionMax }),
      ...(keepAliveMs === 0 ? {} : { keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs }),
      headersTimeout: responseTimeoutMs,
      bodyTimeout: responseTimeoutMs,
      connect: limitedConnectorOf(server, { allowH2: true }),
      ...localAddressOf(server),
    })
  }

  get underWay(): number {
    return this.#pool.stats.size + this.#http1.underWay
  }

  dispatch(request: ServerRequest, receiver: AnswerReceiver): void {
    const { method, path, headers, body, asksForWebSocket } = request
    const isForHttp1 =
      asksForWebSocket ||
      body !== undefined ||
      logsConnectionIn(headers) ||
      this.#http1.isReservedFor(request.client)
    if (isForHttp1) {
      this.#http1.dispatch(request, receiver)
      return
    }
    if (this.#pool.stats.pending >= this.#waitingMax) throw new TooManyWaiting()
    this.#pool.dispatch({ method, path, headers: withCookiesInOne(headers) }, new Telling(receiver))
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#http1.close()])
  }
}

/** Tells a receiver what undici tells. */
class Telling implements Dispatcher.DispatchHandler {
  readonly #receiver: AnswerReceiver

  constructor(receiver: AnswerReceiver) {
    this.#receiver = receiver
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#receiver.onStart(controller)
  }

  onResponseStart(
    { rawHeaders }: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    message = '',
  ): void {
    if (status >= firstFinalStatus) this.#receiver.onHead(answerOf(status, message, rawHeaders))
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    this.#receiver.onData(bytes, false)
  }

  onResponseEnd({ rawTrailers }: Dispatcher.DispatchController): void {
    this.#receiver.onEnd(textsOf(rawTrailers))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#receiver.onFailure(error)
  }
}

function answerOf(
  status: number,
  message: string,
  rawHeaders: Dispatcher.DispatchController['rawHeaders'],
): ServerAnswer {
  return { status, message, headers: textsOf(rawHeaders) }
}

/** Headers as undici gives them, as byte strings: in turn those of HTTP/1.1, and by name those of HTTP/2. */
function textsOf(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (Array.isArray(raw))
    return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
  return Object.entries(raw ?? {}).flatMap(([name, value = []]) =>
    [value].flat().flatMap((one) => [name, one]),
  )
}

/** Between values of one name undici puts commas, which are none between cookies (RFC 9113, section 8.2.3). */
function withCookiesInOne(headers: readonly string[]): string[] {
  const cookies = headerValues(headers, 'cookie')
  if (cookies.length < 2) return [...headers]
  return [...withoutHeader(headers, 'cookie'), 'Cookie', cookies.join('; ')]
}
