import { constants } from 'node:http2'
import type { Duplex, Writable } from 'node:stream'
import { sendAtEndOfTurn } from '../event-loop-turn.ts'
import { type Answer, isAnswer, type ResponseHead } from '../exchange/answer.ts'
import { isHttp2, sendHead, sendTrailers } from '../exchange/client-message.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { endToEndHeaders, headerValue, withoutHeader } from '../exchange/headers.ts'
import { isIdentity, mayHaveBody, trailersOfChanged } from '../exchange/response-head.ts'
import { BodyChain } from '../filters/body-chain.ts'
import type { HeldMemory } from '../rate-control/memory-room.ts'
import type { BalancedServer } from '../servers/balance.ts'
import type { Persistence } from '../servers/persistence.ts'
import type { AnswerControl, AnswerReceiver, LentBytes, ServerAnswer } from '../servers/server-connections.ts'
import { AnswerDecoding } from './answer-decoding.ts'
import { block } from './block.ts'
import { HeldBody, type HeldPiece } from './held-body.ts'
import { looksAtBody } from './inspection.ts'
import { mustBeWhole, PartOfAnswer } from './parts.ts'
import type { RequestContext } from './request-context.ts'
import { sendAnswer } from './send-answer.ts'
import { openTunnel } from './tunnel.ts'
import { handshakeFault } from './websocket-handshake.ts'

/** How much of a body is held that only filters want to hold. */
const heldLimitBytes = 512 * 1024

const nothing = Buffer.alloc(0)

/** A body that is as short as this goes into one piece with its head. */
const joinedMax = 8 * 1024

/**
 * Brings a server's answer to the client: rules on its headers, filters on its head, rules on its body where they want to see it,
 * filters on its body. What rules or filters have to see first is held back up to their limit; everything else streams, no
 * faster than the client takes it.
 */
export class ResponseRelay implements AnswerReceiver, HeldMemory {
  readonly #context: RequestContext
  readonly #exchange: Exchange
  readonly #chosen: BalancedServer
  readonly #persistence: Persistence | undefined
  readonly #settle: (failure: Error | undefined) => void
  #control: AnswerControl | undefined
  /** Present when the body comes in a content coding and does not stay in it. */
  #decoding: AnswerDecoding | undefined
  #head: ResponseHead | undefined
  #body = new BodyChain([])
  /** Whether the client gets other bytes than the server has sent, or may. */
  #isChanged = false
  /** Undefined when it streams. */
  #held: HeldBody | undefined
  /** The end of the body, when it is known to be that. */
  #last: Buffer = nothing
  #lastLent: LentBytes | undefined
  /** Whether the client has to take something before more is read. */
  #isWaiting = false
  /** Whether it was in the room for answers that wait. */
  #hasWaited = false
  #wasInspected = false
  #isOver = false

  /**
   * @param from the server whose answer it is, and what keeps clients with theirs
   * @param settle told once how it ended: why the server did not answer, or undefined
   */
  constructor(
    context: RequestContext,
    from: { readonly chosen: BalancedServer; readonly persistence: Persistence | undefined },
    settle: (failure: Error | undefined) => void,
  ) {
    this.#context = context
    this.#exchange = context.exchange
    this.#chosen = from.chosen
    this.#persistence = from.persistence
    this.#settle = settle
  }

  onStart(control: AnswerControl): void {
    this.#control = control
    this.#exchange.serverAbort = control
    if (this.#exchange.isGone) control.abort(new Error('the client has gone away'))
  }

  onTunnel({ status, headers }: ServerAnswer, server: Duplex): void {
    const exchange = this.#exchange
    const fault = handshakeFault(exchange.headers, headers)
    if (fault !== undefined) {
      server.destroy()
      this.onFailure(new Error(`The server has not opened the WebSocket. ${fault}`))
      return
    }
    exchange.answeredAt = exchange.runtime.now()
    exchange.interruption = exchange.transaction?.responseHeaders({ status, protocol: 'HTTP/1.1', headers })
    this.#isOver = true
    if (exchange.isGone || exchange.upgrade === undefined || block(exchange, false)) server.destroy()
    else openTunnel(this.#context, exchange.upgrade, server, headers)
    this.#settle(undefined)
  }

  onHead(serverAnswer: ServerAnswer): void {
    const exchange = this.#exchange
    if (this.#isOver || exchange.isGone) return
    if (mustBeWhole(this.#context, serverAnswer)) {
      this.#giveUp(new PartOfAnswer())
      return
    }
    const answer = this.#withoutCoding(serverAnswer)
    if (answer === undefined) return
    const { status, message, headers: rawHeaders } = answer
    const { runtime, judge } = this.#context
    exchange.answeredAt = runtime.now()
    if (this.#chosen.pool.health.answered(status)) runtime.onNews()
    const isBodiless = status === 204 || status === 205
    const headers = endToEndHeaders(isBodiless ? withoutHeader(rawHeaders, 'content-length') : rawHeaders)
    const { strictTransportSecurity } = runtime.service.tls ?? {}
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
    if (this.#blocked()) return
    const head: ResponseHead = { status, message, headers }
    const isPlain = isIdentity(headers)
    const outcome = judge.filters.onResponse(exchange, head)
    if (isAnswer(outcome)) {
      this.#answer(outcome)
      return
    }
    this.#body = new BodyChain(outcome)
    this.#head = head
    this.#persistence?.remember?.(exchange, this.#chosen, head)
    this.#isChanged =
      this.#decoding !== undefined ||
      head.encoder !== undefined ||
      outcome.some(({ keepsLength }) => keepsLength !== true)
    if (this.#isChanged) {
      head.headers = withoutHeader(head.headers, 'content-length')
    }
    const inspecting = transaction?.wantsResponseBody && isPlain ? transaction : undefined
    if (inspecting || this.#body.holds) {
      const limitBytes = inspecting?.responseBodyLimitBytes ?? heldLimitBytes
      this.#held = new HeldBody(inspecting, limitBytes)
    } else this.#sendHead()
  }

  onData(chunk: Buffer, isLast: boolean, lent?: LentBytes): void {
    if (this.#isOver) return
    if (this.#decoding) this.#decoding.write(chunk)
    else this.#take(chunk, isLast, lent)
  }

  onEnd(trailers: readonly string[]): void {
    if (this.#isOver) return
    if (this.#decoding) this.#decoding.end(trailers)
    else this.#finish(trailers)
  }

  onFailure(error: Error): void {
    this.#decoding?.destroy()
    if (this.#isOver) return
    this.#isOver = true
    this.#settle(error)
  }

  /**
   * Where somebody has to look at a body, takes the content coding away that it has although nobody asked for one. What cannot be read all the
   * same is not passed on by a service that blocks.
   *
   * @returns the answer as it is looked at; undefined when the client was given another one
   */
  #withoutCoding(answer: ServerAnswer): ServerAnswer | undefined {
    const exchange = this.#exchange
    if (isIdentity(answer.headers) || !mayHaveBody(exchange, answer)) return answer
    if (!looksAtBody(this.#context, answer.headers)) return answer
    const decoding = AnswerDecoding.of(answer, this.#control, {
      onData: (chunk) => this.#take(chunk, false, undefined),
      onEnd: (trailers) => this.#finish(trailers),
      onFailure: (error) => this.onFailure(error),
    })
    if (decoding !== undefined) {
      this.#decoding = decoding
      this.#control = decoding
      exchange.serverAbort = decoding
      return decoding.answer
    }
    const blocks = exchange.mode === 'active'
    const detail = 'The answer has a content coding that is not read here, so that nobody could look at it.'
    exchange.violations.push({ attack: 'Service Unavailable', detail, ...(blocks ? {} : { action: 'LOG' }) })
    if (!blocks) return answer
    this.#answer({ status: 502 })
    return undefined
  }

  #take(chunk: Buffer, isLast: boolean, lent: LentBytes | undefined): void {
    if (this.#isOver) return
    const heldBody = this.#held
    if (heldBody === undefined) {
      this.#pass(chunk, isLast, lent)
      return
    }
    heldBody.add(chunk, lent)
    if (heldBody.isTooLong) this.#release(false)
  }

  #finish(trailers: readonly string[]): void {
    if (this.#isOver) return
    if (this.#held) this.#release(true)
    else this.#flush()
    if (this.#isOver) return
    this.#isOver = true
    // Nothing is left to be ended, and a failure that says so would be made for every request.
    this.#exchange.serverAbort = undefined
    const { response, transaction } = this.#exchange
    const shownTrailers =
      trailers.length === 0 ? trailers : this.#context.judge.filters.onTrailers(this.#exchange, trailers)
    sendTrailers(response, this.#isChanged ? trailersOfChanged(shownTrailers) : shownTrailers)
    sendAtEndOfTurn(() => this.#end())
    if (transaction && !this.#wasInspected) transaction.responseBody(undefined)
    this.#settle(undefined)
  }

  /** Ends an answer of which the client gets nothing. */
  #giveUp(why: Error): void {
    this.#isOver = true
    this.#control?.abort(why)
    this.#settle(why)
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

  /** Sends a piece of the body, as the filters leave it; the last one waits for the end, to go with that. */
  #pass(chunk: Buffer, isLast: boolean, lent: LentBytes | undefined): void {
    if (!this.#body.isEmpty) this.#context.runtime.worksOn(this.#exchange)
    const bytes = this.#body.transform(chunk)
    // Filters may keep what they let pass.
    const mine = this.#body.isEmpty ? lent : undefined
    if (isAnswer(bytes)) this.#answer(bytes)
    else if (!isLast) this.#stream(bytes, mine)
    else {
      this.#last = bytes
      this.#lastLent = mine
    }
  }

  /** Adds what the filters have kept until the end. */
  #flush(): void {
    const rest = this.#body.flush()
    if (isAnswer(rest)) this.#answer(rest)
    else this.#last = joined(this.#last, rest)
  }

  #stream(bytes: Buffer, lent?: LentBytes): void {
    if (bytes.length === 0) return
    const sink = this.#sink
    this.#exchange.bytesSent += bytes.length
    if (sink.write(bytes, lent && whenWritten(bytes, lent)) || this.#isWaiting) return
    this.#isWaiting = true
    this.#control?.pause()
    sink.once('drain', () => {
      this.#isWaiting = false
      this.#context.runtime.answerRoom.release(this)
      this.#control?.resume()
    })
    this.#waitInRoom()
  }

  /** Others need the room: the client has taken nothing of this for longest. */
  giveWay(): void {
    const { response, violations } = this.#exchange
    const detail = 'The response was taken so slowly that others needed the memory that it took.'
    violations.push({ attack: 'slow-client-attack', detail })
    if (isHttp2(response)) response.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    else response.destroy()
  }

  /** Takes the room of what the client has not taken yet. */
  #waitInRoom(): void {
    const { response } = this.#exchange
    const { answerRoom } = this.#context.runtime
    const encoder = this.#head?.encoder
    const encoded = encoder === undefined ? 0 : encoder.writableLength + encoder.readableLength
    const bytes = response.writableLength + encoded
    if (bytes <= joinedMax) return
    if (!this.#hasWaited) response.once('close', () => answerRoom.release(this))
    this.#hasWaited = true
    answerRoom.hold(this, bytes)
  }

  /** Sends what is left with the end; as text where that is short, since Node sends the head and a text as one piece. */
  #end(): void {
    if (this.#exchange.isGone) return
    const bytes = this.#last
    const sink = this.#sink
    const { response } = this.#exchange
    this.#exchange.bytesSent += bytes.length
    if (bytes.length === 0) sink.end()
    else if (bytes.length <= joinedMax && sink === response && !isHttp2(response)) {
      response.end(bytes.toString('latin1'), 'latin1')
      this.#lastLent?.giveBack(bytes)
    } else if (this.#lastLent) sink.end(bytes, whenWritten(bytes, this.#lastLent))
    else sink.end(bytes)
    this.#waitInRoom()
  }

  /** Shows rules and filters what was held back, and lets it go. @param isWhole whether the body ends with it */
  #release(isWhole: boolean): void {
    const heldBody = this.#held
    if (heldBody === undefined) return
    this.#held = undefined
    this.#context.runtime.worksOn(this.#exchange)
    const { transaction, pieces } = heldBody
    if (transaction) {
      this.#wasInspected = true
      this.#exchange.interruption = transaction.responseBody(heldBody.look())
      if (this.#blocked()) return
    }
    if (this.#body.isEmpty) {
      this.#sendHead()
      this.#sendPieces(pieces, isWhole)
      return
    }
    const first = this.#body.transform(heldBody.take())
    const rest = isWhole && !isAnswer(first) ? this.#body.flush() : nothing
    if (isAnswer(first)) this.#answer(first)
    else if (isAnswer(rest)) this.#answer(rest)
    else {
      this.#sendHead()
      if (isWhole) this.#last = joined(first, rest)
      else this.#stream(first)
    }
  }

  /** Sends what was held as it was read, so that its memory can be used again. @param isWhole whether the body ends with it */
  #sendPieces(pieces: readonly HeldPiece[], isWhole: boolean): void {
    for (const [index, { bytes, lent }] of pieces.entries()) {
      this.#pass(bytes, isWhole && index === pieces.length - 1, lent)
    }
  }

  /** Gives the client something else than what the server said, or an end where it has got a part of that. */
  #answer(answer: Answer): void {
    this.#isOver = true
    sendAnswer(this.#exchange, answer, false)
    this.#control?.abort(new Error('a filter answered'))
    this.#settle(undefined)
  }

  #blocked(): boolean {
    if (!block(this.#exchange, false)) return false
    this.#isOver = true
    this.#control?.abort(new Error('the answer was blocked'))
    this.#settle(undefined)
    return true
  }
}

/** Gives bytes back that the system has taken. Those that it has not are left to the collection. */
function whenWritten(bytes: Buffer, lent: LentBytes): (error?: Error | null) => void {
  return (error) => {
    if (!error) lent.giveBack(bytes)
  }
}

function joined(first: Buffer, second: Buffer): Buffer {
  if (second.length === 0) return first
  return first.length === 0 ? second : Buffer.concat([first, second])
}
