import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { errors } from 'undici'
import { asError } from '../../failure.ts'
import type { ServerAnswer } from '../server-connections.ts'
import { type AnswerEvents, AnswerReader } from './answer-reader.ts'
import type { Call, CallCarrier } from './call.ts'
import type { ReadBuffer, SocketBuffer } from './read-buffers.ts'
import { RequestInBody } from './request-in-body.ts'
import { type BodySending, sendBody } from './send-body.ts'

/** How a server's connections are used. */
export interface ConnectionLimits {
  /** How long one is kept without a request, in milliseconds; 0 closes it after the first. */
  readonly keepAliveMs: number
  /** Requests over one connection; 0 for any number. */
  readonly requestsMax: number
  /** How long nothing of an answer may come, in milliseconds; 0 for any time. */
  readonly answerTimeoutMs: number
}

/** What a pool is told of its connections. */
export interface ConnectionEvents {
  /** It can be used again. */
  onFree(connection: ServerConnection): void
  /** It can't any more; its last call may still be told something. */
  onGone(connection: ServerConnection): void
}

/** A body that is as short as this goes into one piece with its head. */
const joinedMax = 8 * 1024

/** What a server tells of its patience is believed but for this much. */
const marginMs = 1_000

/**
 * One connection to a server over HTTP/1.1, for one call after the other. Whatever the server says while there is no call ends it:
 * it would be the answer to the next one.
 */
export class ServerConnection implements CallCarrier, AnswerEvents {
  /** The name that TLS was told; empty without TLS. */
  readonly serverName: string
  readonly #socket: Socket
  readonly #limits: ConnectionLimits
  readonly #events: ConnectionEvents
  #call: Call | undefined
  #reader: AnswerReader | undefined
  #sending: BodySending | undefined
  #requests = 0
  /** Whether a server that did not read the body would read another request in it: then it carries no further one. */
  #mayHoldRequest = false
  /** How long nothing of an answer has come, as far as that counts. */
  #quietMs = 0
  /** When it was opened or its last answer ended, of `performance`. */
  #unusedSince = performance.now()
  #keepAliveMs: number
  #isPaused = false
  #isGone = false

  /** What is being read, while it is told. */
  #lent: ReadBuffer | undefined

  /**
   * @param socket connected
   * @param buffer present where the socket reads into that, and is no stream
   */
  constructor(
    socket: Socket,
    serverName: string,
    limits: ConnectionLimits,
    events: ConnectionEvents,
    buffer: SocketBuffer | undefined,
  ) {
    this.#socket = socket
    this.serverName = serverName
    this.#limits = limits
    this.#events = events
    this.#keepAliveMs = limits.keepAliveMs
    if (buffer === undefined) socket.on('data', this.#onData)
    else buffer.receiver = this.#onData
    socket.on('end', this.#onEnd)
    socket.on('error', this.#onError)
    socket.on('close', this.#onClose)
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Whether it was without a call for so long that the server may be closing it. By the clock, however busy this process is. */
  get isStale(): boolean {
    return performance.now() - this.#unusedSince >= this.#keepAliveMs
  }

  /** Sends a call's request; there must not be another one. */
  carry(call: Call): void {
    const { request, head } = call
    this.#call = call
    this.#quietMs = 0
    this.#requests++
    this.#reader = new AnswerReader(request, this)
    call.carrier = this
    const { body } = request
    this.#mayHoldRequest = Buffer.isBuffer(body) && new RequestInBody().look(body)
    const text = `${head.text}Connection: ${this.#connectionOption(call)}\r\n\r\n`
    if (body === undefined) this.#socket.write(text, 'latin1')
    else if (!Buffer.isBuffer(body)) this.#sendStream(call, text, body)
    else if (body.length <= joinedMax) this.#socket.write(text + body.toString('latin1'), 'latin1')
    else {
      this.#socket.cork()
      this.#socket.write(text, 'latin1')
      this.#socket.write(body)
      this.#socket.uncork()
    }
  }

  /** Time has passed: gives up a server that does not answer, and a connection that nobody needs. */
  tick(elapsedMs: number): void {
    if (this.#call === undefined) {
      if (this.isStale) this.destroy()
      return
    }
    this.#quietMs += elapsedMs
    const { answerTimeoutMs } = this.#limits
    const isServersTurn = this.#sending === undefined || this.#socket.writableNeedDrain
    if (this.#isPaused || !isServersTurn) this.#quietMs = 0
    if (answerTimeoutMs === 0 || this.#quietMs < answerTimeoutMs) return
    this.#fail(this.#reader?.hasBegun ? new errors.BodyTimeoutError() : new errors.HeadersTimeoutError())
  }

  destroy(): void {
    this.#leave()
    this.#socket.destroy()
  }

  drop(): void {
    this.#call = undefined
    this.#stopSending()
    this.destroy()
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#socket.resume()
  }

  isOver(): boolean {
    return this.#call === undefined
  }

  onHead(answer: ServerAnswer): void {
    this.#call?.receiver.onHead(answer)
  }

  onData(bytes: Buffer, isLast: boolean): void {
    this.#lent?.lend(bytes)
    this.#call?.receiver.onData(bytes, isLast, this.#lent)
  }

  onEnd(trailers: readonly string[], persists: boolean, keepAliveMs: number | undefined): void {
    const call = this.#call
    if (call === undefined) return
    this.#call = undefined
    this.#reader = undefined
    this.#unusedSince = performance.now()
    const wasSent = this.#sending === undefined && this.#socket.writableLength === 0
    this.#stopSending()
    if (this.#isPaused) this.resume()
    this.#keepAliveMs = keepAliveOf(this.#limits.keepAliveMs, keepAliveMs)
    const isKept = persists && wasSent && this.#keepAliveMs > 0 && !this.#isLastRequest && !this.#isGone
    // A server that has answered before it has read everything is not read from any more.
    if (!isKept) this.destroy()
    call.finish()
    try {
      call.receiver.onEnd(trailers)
    } catch (error) {
      call.receiver.onFailure(asError(error))
    }
    if (isKept) this.#events.onFree(this)
  }

  onTunnel(answer: ServerAnswer, rest: Buffer): void {
    const call = this.#call
    if (call === undefined) return
    this.#call = undefined
    this.#reader = undefined
    const socket = this.#socket
    socket
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onError)
      .off('close', this.#onClose)
    socket.pause()
    if (rest.length > 0) socket.unshift(rest)
    this.#leave()
    call.finish()
    call.receiver.onTunnel(answer, socket)
  }

  get #isLastRequest(): boolean {
    const { requestsMax, keepAliveMs } = this.#limits
    return this.#mayHoldRequest || keepAliveMs === 0 || (requestsMax > 0 && this.#requests >= requestsMax)
  }

  #connectionOption({ request }: Call): string {
    if (request.asksForWebSocket) return 'Upgrade\r\nUpgrade: websocket'
    return this.#isLastRequest ? 'close' : 'keep-alive'
  }

  #sendStream(call: Call, head: string, body: Readable): void {
    this.#socket.write(head, 'latin1')
    if (call.head.length !== 'chunked') {
      const beginning = new RequestInBody()
      body.on('data', (bytes: Buffer) => {
        this.#mayHoldRequest = beginning.look(bytes)
      })
    }
    this.#sending = sendBody(this.#socket, body, call.head.length, (failure) => {
      this.#sending = undefined
      this.#quietMs = 0
      if (failure) this.#fail(failure)
    })
  }

  #stopSending(): void {
    const sending = this.#sending
    this.#sending = undefined
    sending?.stop()
  }

  readonly #onData = (bytes: Buffer, lent?: ReadBuffer): void => {
    this.#lent = lent
    const reader = this.#reader
    if (reader === undefined) {
      this.destroy()
      return
    }
    try {
      reader.read(bytes)
      if (!reader.isInsideHead) this.#quietMs = 0
    } catch (error) {
      this.#fail(asError(error))
    }
  }

  readonly #onEnd = (): void => {
    try {
      this.#reader?.end()
    } catch (error) {
      this.#fail(asError(error))
    }
    this.destroy()
  }

  readonly #onError = (error: Error): void => this.#fail(error)

  readonly #onClose = (): void => this.#fail(new errors.SocketError('closed'))

  /** Ends the connection, and its call with it. */
  #fail(error: Error): void {
    const call = this.#call
    this.#call = undefined
    this.#reader = undefined
    this.#stopSending()
    this.destroy()
    if (call === undefined) return
    call.finish()
    call.receiver.onFailure(error)
  }

  #leave(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#events.onGone(this)
  }
}

/** Servers that tell how long they keep a connection are believed, and a second is left for what is on its way. */
function keepAliveOf(ours: number, servers: number | undefined): number {
  return servers === undefined ? ours : Math.min(ours, servers - marginMs)
}
