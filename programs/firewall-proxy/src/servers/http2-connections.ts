import type { Duplex } from 'node:stream'
import type { SnapshotServer } from '@palisade/proxy-protocol'
import { type Dispatcher, Pool } from 'undici'
import { connectTimeoutMs, localAddressOf, originOf, tlsOptionsOf } from './connecting.ts'
import type { AnswerReceiver, ServerAnswer, ServerConnections, ServerRequest } from './server-connections.ts'

const firstFinalStatus = 200

/** Connections to a server that may speak HTTP/2, by undici, which finds out whether it does. */
export class Http2Connections implements ServerConnections {
  readonly #pool: Pool

  constructor(server: SnapshotServer) {
    const { keepAliveMs, connectionsMax, requestsPerConnectionMax, responseTimeoutMs } = server
    this.#pool = new Pool(originOf(server), {
      allowH2: true,
      connections: connectionsMax === 0 ? null : connectionsMax,
      // Without pipelining a connection is closed after its request.
      pipelining: keepAliveMs === 0 ? 0 : 1,
      ...(requestsPerConnectionMax === 0 ? {} : { maxRequestsPerClient: requestsPerConnectionMax }),
      ...(keepAliveMs === 0 ? {} : { keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs }),
      headersTimeout: responseTimeoutMs,
      bodyTimeout: responseTimeoutMs,
      connect: { timeout: connectTimeoutMs, ...tlsOptionsOf(server) },
      ...localAddressOf(server),
    })
  }

  get underWay(): number {
    return this.#pool.stats.size
  }

  dispatch(request: ServerRequest, receiver: AnswerReceiver): void {
    const { method, path, headers, body = null, asksForWebSocket } = request
    this.#pool.dispatch(
      { method, path, headers: [...headers], body, ...(asksForWebSocket ? { upgrade: 'websocket' } : {}) },
      new Telling(receiver),
    )
  }

  async close(): Promise<void> {
    await this.#pool.close()
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

  onRequestUpgrade(
    { rawHeaders }: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    server: Duplex,
  ): void {
    this.#receiver.onTunnel(answerOf(status, '', rawHeaders), server)
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

/** Headers as undici gives them, as byte strings. */
function textsOf(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return []
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
}
