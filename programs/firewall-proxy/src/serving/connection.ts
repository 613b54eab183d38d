import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type ClientRequest, type ClientResponse, isHttp2 } from '../exchange/client-message.ts'
import { type Exchange, type ProxiedClient, plainAddress } from '../exchange/exchange.ts'
import { Allowance } from '../slow-clients/allowance.ts'
import { StreamAllowance } from '../slow-clients/stream-allowance.ts'
import { SwapRemoveList } from '../swap-remove-list.ts'
import { SmallPieces } from './small-pieces.ts'

/** Requests of one HTTP/1 connection that may wait for answers to those before them, as many as HTTP/2 may have under way. */
const waitingMax = 100

/** A request of HTTP/1 that is not carried yet. */
interface Waiting {
  readonly request: ClientRequest
  readonly response: ClientResponse
  readonly carry: () => void
}

/** A connection of a client, and what it is doing. */
export class Connection {
  readonly socket: Socket
  readonly allowance: Allowance
  readonly pieces: SmallPieces
  /** Present where a load balancer has named the client in a PROXY header. */
  proxiedClient: ProxiedClient | undefined
  /** The request of HTTP/1 that is not answered yet. */
  exchange: Exchange | undefined
  /** Present when TLS is spoken and the handshake was agreed on. */
  tlsSocket: TLSSocket | undefined
  /** Present when HTTP/2 is spoken; each request has its own allowance then. */
  session: ServerHttp2Session | undefined
  readonly streams = new SwapRemoveList<StreamAllowance>()
  /** Those that came over HTTP/1 behind the one that is not answered yet. */
  readonly #waiting: Waiting[] = []

  /**
   * @param now of `performance`
   * @param onExcess see {@link SmallPieces}
   */
  constructor(socket: Socket, now: number, onExcess: (detail: string) => void) {
    this.socket = socket
    this.pieces = new SmallPieces(socket, onExcess)
    this.allowance = new Allowance(socket, now)
  }

  /** A request that is under way; any of them where there are several. */
  get anyExchange(): Exchange | undefined {
    const [stream] = this.streams.all()
    return this.exchange ?? stream?.exchange
  }

  /** Whose connection it is, as far as that is certain. */
  get peerAddress(): string {
    return this.proxiedClient?.isTrusted
      ? this.proxiedClient.address
      : plainAddress(this.socket.remoteAddress)
  }

  /** @returns what watches over it, where other requests go over the same connection */
  begin(exchange: Exchange): StreamAllowance | undefined {
    if (!isHttp2(exchange.response)) {
      this.exchange = exchange
      return undefined
    }
    const stream = new StreamAllowance(exchange)
    this.streams.add(stream)
    return stream
  }

  /** @param stream what watched over it */
  end(exchange: Exchange, stream: StreamAllowance | undefined): void {
    if (stream) this.streams.delete(stream)
    if (this.exchange === exchange) this.exchange = undefined
    this.allowance.beginRequest()
  }

  /**
   * Lets a request of HTTP/1 wait for the answers to those before it. Nothing more is read meanwhile, so that what waits takes no more
   * memory than what came at once.
   *
   * @param socket on which HTTP is spoken
   * @returns whether it may wait
   */
  letWait(waiting: Waiting, socket: Socket): boolean {
    if (this.#waiting.length === waitingMax) return false
    if (this.#waiting.push(waiting) === 1) this.#leaveUnread(socket)
    return true
  }

  /** Carries the request that has waited longest. Where nothing can be answered any more, none that waits is carried. */
  carryNext(socket: Socket): void {
    if (this.#waiting.length === 0) return
    if (socket.writable) this.#waiting.shift()?.carry()
    else this.#waiting.length = 0
    if (this.#waiting.length === 0) socket.resume()
  }

  /**
   * What came last over HTTP/1 is no request, or the rest of one: those that came whole before it are still answered, since servers
   * carry them out, and the connection ends with the last of the answers.
   *
   * @returns whether there are such; not where an answer has begun, since that has not said that it is the last
   */
  endBehindWholeRequests(): boolean {
    const { exchange } = this
    if (!exchange?.request.complete || exchange.response.headersSent) return false
    if (this.#waiting.at(-1)?.request.complete === false) this.#waiting.pop()
    endsWithResponse(this.#waiting.at(-1)?.response ?? exchange.response)
    return true
  }

  /** Node's parser would read on by itself whenever a request has come whole. */
  #leaveUnread(socket: Socket): void {
    const hold = () => {
      if (this.#waiting.length > 0) socket.pause()
      else socket.off('resume', hold)
    }
    socket.on('resume', hold).pause()
  }
}

/** HTTP/1 says with an answer that it is the last; a session of HTTP/2 is told as a whole. */
export function endsWithResponse(response: ClientResponse): void {
  if (!isHttp2(response) && !response.headersSent) response.shouldKeepAlive = false
}
