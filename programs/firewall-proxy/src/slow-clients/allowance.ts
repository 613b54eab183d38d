import type { Socket } from 'node:net'
import type { SlowClientLimits, SlowClientTimeouts } from '@palisade/proxy-protocol'
import type { ClientRequest } from '../exchange/client-message.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { sendQueueBytes } from './send-queue.ts'

/**
 * The time that a client has for a request and for taking a response:
 *
 *     deadline = min(maximum, incremental + bytes moved / rate)
 *
 * Time counts while it is the client whose turn it is: for a request from the first byte (on a new connection from its
 * opening) to its last one, except while we do not read; for a response while bytes wait for the client, in this process or in
 * the system's queue, which holds up to some megabytes (`send-queue.ts`; only Linux tells). That includes what is left of the
 * response before.
 *
 * A connection of HTTP/2 is shared by requests with allowances of their own (`StreamAllowance`). What is left for this one is the time until
 * the first request. What else comes, such as pings, cannot be told from the beginning of a request, and an honest client sends it long
 * after an answer: it is nobody's fault then, but does not keep the connection from being idle either.
 *
 * Clients are looked at now and then. A turn is counted from the first look that found it, never more than it lasted: an honest
 * client is not cut early, a slow one as much later as there is between two looks. What came while this process was held up is
 * still to be read then, so that time is nobody's.
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
  #lookedAt: number
  #wasSending = true
  #wasTaking = false

  /** @param now in milliseconds, of a clock that never goes back */
  constructor(socket: Socket, now: number) {
    this.#socket = socket
    this.#lookedAt = now
  }

  /** Bytes that came since the last response, headers included. */
  get bytesRead(): number {
    return this.#socket.bytesRead - this.#readBefore
  }

  /** The last response was sent: the next request begins with its first byte. */
  beginRequest(): void {
    this.#isNew = false
    this.#wasSending = false
    this.#wasTaking = false
    this.#requestSpentMs = 0
    this.#responseSpentMs = 0
    this.#readBefore = this.#socket.bytesRead
    this.#writtenBefore = this.#socket.bytesWritten - this.#waitingBytes(undefined)
  }

  /**
   * Looks at the client again.
   *
   * @param idleMaxSeconds how long nothing may come and nothing go without a request; 0 for any time
   * @param limits undefined for a client that may take its time
   * @param isShared whether it is spoken in HTTP/2, as the class says
   * @param now as in the constructor
   * @returns what is to be done about it, with a sentence when it is to blame
   */
  look(
    settings: {
      readonly idleMaxSeconds: number
      readonly limits: SlowClientLimits | undefined
      readonly isShared: boolean
    },
    exchange: Exchange | undefined,
    now: number,
  ): 'nothing' | 'end' | { readonly blame: string; readonly during: 'request' | 'response' } {
    const elapsedMs = countedMs(now - this.#lookedAt)
    this.#lookedAt = now
    const { idleMaxSeconds, limits, isShared } = settings
    const isCounted = !isShared || (this.#isNew && exchange === undefined)
    const blame = limits && isCounted ? this.#spend(elapsedMs, limits, exchange) : undefined
    if (blame !== undefined) return blame
    const moved = isShared ? 0 : this.#socket.bytesRead + this.#socket.bytesWritten
    return this.#isIdleLongerThan(idleMaxSeconds, moved, elapsedMs, exchange) ? 'end' : 'nothing'
  }

  /** @param moved bytes that show by their number that the connection is used */
  #isIdleLongerThan(
    seconds: number,
    moved: number,
    elapsedMs: number,
    exchange: Exchange | undefined,
  ): boolean {
    this.#idleMs = exchange !== undefined || moved !== this.#lastMoved ? 0 : this.#idleMs + elapsedMs
    this.#lastMoved = moved
    return seconds > 0 && this.#idleMs > seconds * 1000
  }

  #spend(
    elapsedMs: number,
    limits: SlowClientLimits,
    exchange: Exchange | undefined,
  ): { readonly blame: string; readonly during: 'request' | 'response' } | undefined {
    const isSending = this.#isClientsTurnToSend(exchange?.request)
    if (isSending && this.#wasSending) this.#requestSpentMs += elapsedMs
    this.#wasSending = isSending
    const { bytesPerSecond } = limits
    if (isSending && this.#requestSpentMs > allowedMs(limits.request, this.bytesRead, bytesPerSecond)) {
      return { blame: 'The request came too slowly.', during: 'request' }
    }
    const waiting = this.#waitingBytes(exchange)
    const isTaking = waiting > 0
    if (isTaking && this.#wasTaking) this.#responseSpentMs += elapsedMs
    this.#wasTaking = isTaking
    const bytesTaken = Math.max(0, this.#socket.bytesWritten - this.#writtenBefore - waiting)
    const isLate = isTaking && this.#responseSpentMs > allowedMs(limits.response, bytesTaken, bytesPerSecond)
    return isLate ? { blame: 'The response was taken too slowly.', during: 'response' } : undefined
  }

  #isClientsTurnToSend(request: ClientRequest | undefined): boolean {
    if (request === undefined) return this.#isNew || this.bytesRead > 0
    return !request.complete && !request.isPaused() && request.readableLength === 0
  }

  #waitingBytes(exchange: Exchange | undefined): number {
    const over = exchange?.request.socket
    const encrypted = over !== undefined && over !== this.#socket ? over.writableLength : 0
    return this.#socket.writableLength + encrypted + sendQueueBytes(this.#socket)
  }
}

/** Looks follow each other twice as fast; when they don't, it was this process that had no time. */
const countedMsMax = 500

/** How much of the time between two looks counts as the client's; the rest, this process was busy. */
export function countedMs(elapsedMs: number): number {
  return Math.min(elapsedMs, countedMsMax)
}

/** The time that has been given to a client who has moved so many bytes, in milliseconds. */
export function allowedMs(
  { incrementalSeconds, maxSeconds }: SlowClientTimeouts,
  bytes: number,
  bytesPerSecond: number,
): number {
  const earned = incrementalSeconds + bytes / bytesPerSecond
  return 1000 * (maxSeconds === 0 ? earned : Math.min(maxSeconds, earned))
}
