import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'

/** A request as a server gets it. */
export interface ServerRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Names and values in turn, as byte strings; without those of one connection. A length is that of the body. */
  readonly headers: readonly string[]
  /** Undefined for a request without one. A stream is destroyed when the server does not take all of it. */
  readonly body: Buffer | Readable | undefined
  /** Whether it asks for a WebSocket. */
  readonly asksForWebSocket: boolean
  /** The connection that it came over, where requests come one after the other there: by NTLM a client logs in for all of them. */
  readonly client?: Socket | undefined
}

/** Why a request was not sent, or not to its end, for which no server can be blamed. The client is answered with 503. */
export class ServerUnavailable extends Error {
  /** Whether another server may get the request, which this one has not seen. */
  readonly othersMayServe: boolean

  constructor(message: string, { othersMayServe }: { readonly othersMayServe: boolean }) {
    super(message)
    this.othersMayServe = othersMayServe
  }
}

/** What a server says before its body. */
export interface ServerAnswer {
  readonly status: number
  /** The reason phrase; may be empty. */
  readonly message: string
  /** Names and values in turn, as byte strings. */
  readonly headers: readonly string[]
}

/** The hold that one has on an answer while it is waited for and while it comes. Does nothing after its end. */
export interface AnswerControl {
  /** Ends it; `onFailure` is told the reason. */
  abort(reason: Error): void
  /** Nothing more is read from the server; a little that was read before may still be told. */
  pause(): void
  resume(): void
}

/** Memory that bytes were read into, which can be used again as soon as nobody looks at them any more. */
export interface LentBytes {
  /** Once at most for each piece, when nothing of it is held; not giving it back is always right, and slower. */
  giveBack(bytes: Buffer): void
}

/**
 * Told what becomes of one request: `onStart` once before anything else; then `onHead`, any number of `onData` and `onEnd`, or
 * `onTunnel`; or at any time `onFailure`. Nothing follows `onEnd`, `onTunnel` and `onFailure`.
 */
export interface AnswerReceiver {
  onStart(control: AnswerControl): void
  /** Final answers only; provisional ones (1xx) are not told. */
  onHead(answer: ServerAnswer): void
  /**
   * @param isLast whether it is known to be the end of the body: `onEnd` follows at once then
   * @param lent present where the piece can be given back
   */
  onData(bytes: Buffer, isLast: boolean, lent?: LentBytes): void
  /** @param trailers names and values in turn, as byte strings */
  onEnd(trailers: readonly string[]): void
  /** The server has agreed to a WebSocket. */
  onTunnel(answer: ServerAnswer, server: Duplex): void
  /** @param error with undici's codes, or those of the system */
  onFailure(error: Error): void
}

/** Why a request does not wait for a server: as many wait as may. */
export class TooManyWaiting extends ServerUnavailable {
  constructor() {
    super('as many requests wait for the server as may', { othersMayServe: true })
  }
}

/** Connections to one server, over which requests go. */
export interface ServerConnections {
  /**
   * Sends a request now or as soon as a connection is free.
   *
   * @throws Error when it cannot be sent to anybody: with a line feed in a header, say; ServerUnavailable when too many wait
   */
  dispatch(request: ServerRequest, receiver: AnswerReceiver): void
  /** Requests that the server has not answered to their end yet, waiting ones too. */
  readonly underWay: number
  /** Ends when all requests have ended. */
  close(): Promise<void>
}
