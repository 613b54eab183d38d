import type { Duplex, Writable } from 'node:stream'
import type { Transaction } from '@palisade/seclang'
import type { Dispatcher } from 'undici'
import { BodyChain } from '../filters/body-chain.ts'
import { type Answer, isAnswer, type ResponseHead } from '../filters/filter.ts'
import { block } from './block.ts'
import { sendHead, sendTrailers } from './client-message.ts'
import type { Exchange } from './exchange.ts'
import { endToEndHeaders, headerValue, withoutHeader } from './hop-by-hop.ts'
import { sendAnswer } from './send-answer.ts'
import { openTunnel } from './tunnel.ts'

const firstFinalStatus = 200

/** Of a body that only filters want to hold, this much is held. */
const heldLimitBytes = 512 * 1024

const nothing = Buffer.alloc(0)

/** The beginning of a body, held back until it was looked at. */
interface Held {
  readonly chunks: Buffer[]
  readonly limitBytes: number
  /** Present where rules want to see it. */
  readonly transaction: Transaction | undefined
  size: number
}

/**
 * Brings a server's answer to the client: rules on its headers, filters on its head, rules on its body where they want to see it,
 * filters on its body. What rules or filters have to see first is held back up to their limit; everything else streams, no
 * faster than the client takes it.
 */
export class ResponseRelay implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange
  readonly #settle: (failure: Error | undefined) => void
  #head: ResponseHead | undefined
  #body = new BodyChain([])
  /** Undefined when it streams. */
  #held: Held | undefined
  #wasInspected = false
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

  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    server: Duplex,
  ): void {
    const exchange = this.#exchange
    const rawHeaders = textsOf(controller.rawHeaders)
    exchange.answeredAt = exchange.runtime.now()
    const head = { status, protocol: 'HTTP/1.1', headers: rawHeaders }
    exchange.interruption = exchange.transaction?.responseHeaders(head)
    this.#isOver = true
    if (exchange.isGone || exchange.upgrade === undefined || block(exchange, false)) server.destroy()
    else openTunnel(exchange, exchange.upgrade, server, rawHeaders)
    this.#settle(undefined)
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
    if (exchange.server?.pool.health.answered(status)) exchange.runtime.onNews()
    const rawHeaders = textsOf(controller.rawHeaders)
    const headers = endToEndHeaders(rawHeaders)
    const { strictTransportSecurity } = exchange.runtime.service.tls ?? {}
    if (
      strictTransportSecurity !== undefined &&
      headerValue(headers, 'strict-transport-security') === undefined
    ) {
      headers.push('Strict-Transport-Security', strictTransportSecurity)
    }
    const { transaction } = exchange
    exchange.interruption = transaction?.responseHeaders({
      status,
      protocol: 'HTTP/1.1',
      headers: rawHeaders,
    })
    if (this.#blocked(controller)) return
    const head: ResponseHead = { status, message, headers }
    const isPlain = isIdentity(headers)
    const outcome = exchange.runtime.filters.onResponse(exchange, head)
    if (isAnswer(outcome)) {
      this.#answer(controller, outcome)
      return
    }
    this.#body = new BodyChain(outcome)
    this.#head = head
    if (exchange.server) exchange.route?.persistence?.remember?.(exchange, exchange.server, head)
    if (head.encoder || outcome.some(({ keepsLength }) => keepsLength !== true)) {
      head.headers = withoutHeader(head.headers, 'content-length')
    }
    const inspecting = transaction?.wantsResponseBody && isPlain ? transaction : undefined
    if (inspecting || this.#body.holds) {
      const limitBytes = inspecting?.responseBodyLimitBytes ?? heldLimitBytes
      this.#held = { chunks: [], size: 0, limitBytes, transaction: inspecting }
    } else this.#sendHead()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    const held = this.#held
    if (held === undefined) {
      this.#pass(controller, chunk)
      return
    }
    held.chunks.push(chunk)
    held.size += chunk.length
    if (held.size > held.limitBytes) this.#release(controller, false)
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) return
    if (this.#held) this.#release(controller, true)
    else this.#flush(controller)
    if (this.#isOver) return
    this.#isOver = true
    // Nothing is left to be ended, and a failure that says so would be made for every request.
    this.#exchange.abortUpstream = undefined
    const { response, transaction } = this.#exchange
    sendTrailers(response, textsOf(controller.rawTrailers))
    this.#sink.end()
    if (transaction && !this.#wasInspected) transaction.responseBody(undefined)
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
    const { status, message, headers, encoder } = this.#head
    sendHead(response, status, headers, message)
    if (encoder === undefined) return
    encoder.on('error', (error) => response.destroy(error)).pipe(response)
    response.once('close', () => encoder.destroy())
  }

  /** Where the body goes to. */
  get #sink(): Writable {
    return this.#head?.encoder ?? this.#exchange.response
  }

  /** Sends a piece of the body, as the filters leave it. */
  #pass(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const bytes = this.#body.transform(chunk)
    if (isAnswer(bytes)) this.#answer(controller, bytes)
    else this.#stream(controller, bytes)
  }

  /** Sends what the filters have kept until the end. */
  #flush(controller: Dispatcher.DispatchController): void {
    const rest = this.#body.flush()
    if (isAnswer(rest)) this.#answer(controller, rest)
    else this.#stream(controller, rest)
  }

  #stream(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (bytes.length === 0) return
    const sink = this.#sink
    this.#exchange.bytesSent += bytes.length
    if (sink.write(bytes)) return
    controller.pause()
    sink.once('drain', () => controller.resume())
  }

  /** Shows rules and filters what was held back, and lets it go. @param isWhole whether the body ends with it */
  #release(controller: Dispatcher.DispatchController, isWhole: boolean): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    const bytes = Buffer.concat(held.chunks)
    if (held.transaction) {
      this.#wasInspected = true
      this.#exchange.interruption = held.transaction.responseBody(bytes)
      if (this.#blocked(controller)) return
    }
    const first = this.#body.transform(bytes)
    const rest = isWhole && !isAnswer(first) ? this.#body.flush() : nothing
    const answer = [first, rest].find(isAnswer)
    if (answer) {
      this.#answer(controller, answer)
      return
    }
    this.#sendHead()
    for (const part of [first, rest]) if (!isAnswer(part)) this.#stream(controller, part)
  }

  /** Gives the client something else than what the server said, or an end where it has got a part of that. */
  #answer(controller: Dispatcher.DispatchController, answer: Answer): void {
    this.#isOver = true
    sendAnswer(this.#exchange, answer, false)
    controller.abort(new Error('a filter answered'))
    this.#settle(undefined)
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
function isIdentity(headers: readonly string[]): boolean {
  const coding = headerValue(headers, 'content-encoding')
  return coding === undefined || coding.toLowerCase() === 'identity'
}

/** Headers as undici gives them, as byte strings. */
function textsOf(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return []
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
}
