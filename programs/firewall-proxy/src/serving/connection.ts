import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { Allowance } from '../slow-clients/allowance.ts'
import { StreamAllowance } from '../slow-clients/stream-allowance.ts'
import { isHttp2 } from '../traffic/client-message.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { UnderWay } from '../under-way.ts'

/** Requests of one HTTP/1 connection that may wait for answers to those before them, as many as HTTP/2 may have under way. */
const waitingMax = 100

/** A connection of a client, and what it is doing. */
export class Connection {
  readonly socket: Socket
  readonly allowance: Allowance
  /** The request of HTTP/1 that is not answered yet. */
  exchange: Exchange | undefined
  /** Present when HTTP/2 is spoken; each request has its own allowance then. */
  session: ServerHttp2Session | undefined
  readonly streams = new UnderWay<StreamAllowance>()
  /** Carry the requests that came over HTTP/1 behind the one that is not answered yet. */
  readonly #waiting: (() => void)[] = []

  /** @param now of `performance` */
  constructor(socket: Socket, now: number) {
    this.socket = socket
    this.allowance = new Allowance(socket, now)
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
  letWait(carry: () => void, socket: Socket): boolean {
    if (this.#waiting.length === waitingMax) return false
    if (this.#waiting.push(carry) === 1) this.#leaveUnread(socket)
    return true
  }

  /** Carries the request that has waited longest. Where nothing can be answered any more, none that waits is carried. */
  carryNext(socket: Socket): void {
    if (this.#waiting.length === 0) return
    if (socket.writable) this.#waiting.shift()?.()
    else this.#waiting.length = 0
    if (this.#waiting.length === 0) socket.resume()
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
