import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { SlowClientLimits, SlowClientTimeouts } from '@palisade/proxy-protocol'
import type { Exchange } from '../traffic/exchange.ts'

/**
 * The time that a client has for a request and for taking a response:
 *
 *     deadline = min(maximum, incremental + bytes moved / rate)
 *
 * Time counts while it is the client whose turn it is: for a request from the first byte (on a new connection from its
 * opening) to its last one, except while we do not read; for a response while bytes wait for the client in this process.
 * What the kernel holds is not seen here, so a response of up to a few megabytes can be taken slowly without being noticed.
 */
export class Allowance {
  readonly #socket: Socket
  #isNew = true
  #requestSpentMs = 0
  #responseSpentMs = 0
  #readBefore = 0
  #writtenBefore = 0
  #idleMs = 0
  #lastMoved = 0

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** Bytes that came since the last response, headers included. */
  get bytesRead(): number {
    return this.#socket.bytesRead - this.#readBefore
  }

  /** The last response was sent: the next request begins with its first byte. */
  beginRequest(): void {
    this.#isNew = false
    this.#requestSpentMs = 0
    this.#responseSpentMs = 0
    this.#readBefore = this.#socket.bytesRead
    this.#writtenBefore = this.#socket.bytesWritten
  }

  /**
   * Whether nothing came and nothing went for this long, without a request.
   *
   * @param seconds 0 for any time
   */
  isIdleLongerThan(seconds: number, elapsedMs: number, exchange: Exchange | undefined): boolean {
    const moved = this.#socket.bytesRead + this.#socket.bytesWritten
    this.#idleMs = exchange !== undefined || moved !== this.#lastMoved ? 0 : this.#idleMs + elapsedMs
    this.#lastMoved = moved
    return seconds > 0 && this.#idleMs > seconds * 1000
  }

  /**
   * Counts the time since the last call.
   *
   * @returns a sentence when the client has used up its time
   */
  spend(elapsedMs: number, limits: SlowClientLimits, exchange: Exchange | undefined): string | undefined {
    const { bytesPerSecond } = limits
    if (this.#isClientsTurnToSend(exchange?.request)) {
      this.#requestSpentMs += elapsedMs
      const allowed = allowedMs(limits.request, this.bytesRead, bytesPerSecond)
      if (this.#requestSpentMs > allowed) return 'The request came too slowly.'
    }
    const waiting = this.#waitingBytes(exchange)
    if (waiting === 0) return undefined
    this.#responseSpentMs += elapsedMs
    const taken = Math.max(0, this.#socket.bytesWritten - this.#writtenBefore - waiting)
    const allowed = allowedMs(limits.response, taken, bytesPerSecond)
    return this.#responseSpentMs > allowed ? 'The response was taken too slowly.' : undefined
  }

  #isClientsTurnToSend(request: IncomingMessage | undefined): boolean {
    if (request === undefined) return this.#isNew || this.bytesRead > 0
    return !request.complete && !request.isPaused() && request.readableLength === 0
  }

  #waitingBytes(exchange: Exchange | undefined): number {
    const over = exchange?.request.socket
    const encrypted = over !== undefined && over !== this.#socket ? over.writableLength : 0
    return this.#socket.writableLength + encrypted
  }
}

function allowedMs(
  { incrementalSeconds, maxSeconds }: SlowClientTimeouts,
  bytes: number,
  bytesPerSecond: number,
): number {
  const earned = incrementalSeconds + bytes / bytesPerSecond
  return 1000 * (maxSeconds === 0 ? earned : Math.min(maxSeconds, earned))
}
