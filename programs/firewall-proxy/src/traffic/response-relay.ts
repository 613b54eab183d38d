import type { Transaction } from '@palisade/seclang'
import type { Dispatcher } from 'undici'
import { block } from './block.ts'
import type { Exchange } from './exchange.ts'
import { endToEndHeaders, headerValue } from './hop-by-hop.ts'

const firstFinalStatus = 200

/** An answer's head, as it is sent on. */
interface Head {
  readonly status: number
  readonly message: string
  /** Names and values in turn. */
  readonly headers: string[]
}

/**
 * Brings a server's answer to the client: rules on its headers, rules on its body where they want to see it, which is then held
 * back up to their limit; everything else streams, no faster than the client takes it.
 */
export class ResponseRelay implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange
  readonly #settle: (failure: Error | undefined) => void
  #head: Head | undefined
  /** What is held back until the rules have seen it; undefined when it streams. */
  #held: { readonly chunks: Buffer[]; size: number; readonly transaction: Transaction } | undefined
  #wasHeld = false
  #isOver = false

  /** @param settle told once how it ended: why the server did not answer, or undefined */
  constructor(exchange: Exchange, settle: (failure: Error | undefined) => void) {
    this.#exchange = exchange
    this.#settle = settle
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#exchange.abortUpstream = (reason) => controller.abort(reason)
    if (this.#exchange.isGone) controller.abort(new Error('the client has gone away'))
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    message = '',
  ): void {
    const exchange = this.#exchange
    if (status < firstFinalStatus || this.#isOver || exchange.isGone) return
    exchange.answeredAt = exchange.runtime.now()
    if (exchange.server?.pool.answered()) exchange.runtime.onNews()
    const rawHeaders = textsOf(controller.rawHeaders)
    const headers = endToEndHeaders(rawHeaders)
    const { strictTransportSecurity } = exchange.runtime.service.tls ?? {}
    if (
      strictTransportSecurity !== undefined &&
      headerValue(headers, 'strict-transport-security') === undefined
    ) {
      headers.push('Strict-Transport-Security', strictTransportSecurity)
    }
    this.#head = { status, message, headers }
    const { transaction } = exchange
    if (transaction === undefined) {
      this.#sendHead()
      return
    }
    exchange.interruption = transaction.responseHeaders({ status, protocol: 'HTTP/1.1', headers: rawHeaders })
    if (this.#blocked(controller)) return
    if (transaction.wantsResponseBody && isPlain(headers)) this.#held = { chunks: [], size: 0, transaction }
    else this.#sendHead()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    const held = this.#held
    if (held === undefined) {
      this.#stream(controller, chunk)
      return
    }
    held.chunks.push(chunk)
    held.size += chunk.length
    if (held.size > held.transaction.responseBodyLimitBytes) this.#release(controller)
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) return
    if (this.#held) this.#release(controller)
    if (this.#isOver) return
    this.#isOver = true
    const { response, transaction } = this.#exchange
    addTrailers(response, textsOf(controller.rawTrailers))
    response.end()
    if (transaction && !this.#wasHeld) transaction.responseBody(undefined)
    this.#settle(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#settle(error)
  }

  #sendHead(): void {
    const { response } = this.#exchange
    if (this.#head === undefined) return
    const { status, message, headers } = this.#head
    if (message === '') response.writeHead(status, headers)
    else response.writeHead(status, message, headers)
  }

  #stream(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { response } = this.#exchange
    this.#exchange.bytesSent += chunk.length
    if (response.write(chunk)) return
    controller.pause()
    response.once('drain', () => controller.resume())
  }

  /** Shows the rules what was held back, and lets it go. */
  #release(controller: Dispatcher.DispatchController): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    this.#wasHeld = true
    const bytes = Buffer.concat(held.chunks)
    this.#exchange.interruption = held.transaction.responseBody(bytes)
    if (this.#blocked(controller)) return
    this.#sendHead()
    if (bytes.length > 0) this.#stream(controller, bytes)
  }

  #blocked(controller: Dispatcher.DispatchController): boolean {
    if (!block(this.#exchange, false)) return false
    this.#isOver = true
    controller.abort(new Error('the answer was blocked'))
    this.#settle(undefined)
    return true
  }
}

/** Whether rules can read a body with these headers. */
function isPlain(headers: readonly string[]): boolean {
  const coding = headerValue(headers, 'content-encoding')
  return coding === undefined || coding.toLowerCase() === 'identity'
}

/** Headers as undici gives them, as byte strings. */
function textsOf(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return []
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
}

function addTrailers(response: Exchange['response'], raw: readonly string[]): void {
  if (raw.length === 0) return
  const trailers: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2)
    trailers.push([raw[index] ?? '', raw[index + 1] ?? ''])
  response.addTrailers(trailers)
}
