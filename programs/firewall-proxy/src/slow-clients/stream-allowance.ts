import type { SlowClientLimits } from '@palisade/proxy-protocol'
import type { Exchange } from '../exchange/exchange.ts'
import type { ListItem } from '../swap-remove-list.ts'
import { allowedMs } from './allowance.ts'

/**
 * The time that a client has for one request of HTTP/2 and its response, while others go over the same connection. The rule is
 * that of `Allowance`; what counts as waiting is what flow control keeps from being sent.
 */
export class StreamAllowance implements ListItem {
  readonly exchange: Exchange
  place = -1
  #requestSpentMs = 0
  #responseSpentMs = 0

  constructor(exchange: Exchange) {
    this.exchange = exchange
  }

  /**
   * Looks at the client again.
   *
   * @param elapsedMs since the last look
   * @returns a sentence when it is to blame
   */
  look(limits: SlowClientLimits, elapsedMs: number): string | undefined {
    const { request, response, bytesTaken, bytesSent } = this.exchange
    const { bytesPerSecond } = limits
    const isSending = !request.complete && !request.isPaused() && request.readableLength === 0
    if (isSending) this.#requestSpentMs += elapsedMs
    if (isSending && this.#requestSpentMs > allowedMs(limits.request, bytesTaken, bytesPerSecond)) {
      return 'The request came too slowly.'
    }
    const waiting = response.writableLength
    if (waiting === 0) return undefined
    this.#responseSpentMs += elapsedMs
    const takenBytes = Math.max(0, bytesSent - waiting)
    const isLate = this.#responseSpentMs > allowedMs(limits.response, takenBytes, bytesPerSecond)
    return isLate ? 'The response was taken too slowly.' : undefined
  }
}
