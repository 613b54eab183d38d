import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, networkName } from './client-address.ts'

/** How long, and from how many at once, bodies are waited for whose senders are not known. */
export interface UnknownCallerLimits {
  /** How long the rest of a body may take. */
  readonly bodyTimeoutMs: number
  /** The same where more bodies are under way than the numbers below. */
  readonly crowdedBodyTimeoutMs: number
  /** Bodies from one network, see `networkName`. */
  readonly bodiesPerNetworkMax: number
  /** Bodies from all of them. */
  readonly bodiesMax: number
}

/** A login is small, so its body comes in less than a second over any usable line. */
export const unknownCallerLimits: UnknownCallerLimits = {
  bodyTimeoutMs: 20_000,
  crowdedBodyTimeoutMs: 3_000,
  bodiesPerNetworkMax: 16,
  bodiesMax: 256,
}

/** Who has sent a request, as the audit log names callers. */
export interface Caller {
  readonly kind: 'client' | 'operator' | 'token'
  readonly name: string
}

/** Requests whose senders have authenticated, and who these are where that counts for the audit log. */
const callers = new WeakMap<IncomingMessage, Caller | undefined>()

/**
 * To be called by whatever authenticates a request, when it has: the body of a known caller may take as long as the listener gives to a
 * whole request, see {@link UnknownCallers}.
 */
export function markAuthenticated({ raw }: Pick<FastifyRequest, 'raw'>, caller?: Caller): void {
  callers.set(raw, caller)
}

/** Who has sent a request; undefined where nobody has authenticated, or the audit log has no interest in him. */
export function callerOf({ raw }: Pick<FastifyRequest, 'raw'>): Caller | undefined {
  return callers.get(raw)
}

/**
 * Bounds the bodies of callers who have not authenticated: those of logins, and what is still on its way of a request that was refused.
 * Each may take {@link UnknownCallerLimits.bodyTimeoutMs}, and less while many are under way, so that those who trickle
 * make room for those who do not.
 */
export class UnknownCallers {
  readonly #limits: UnknownCallerLimits
  readonly #onTimeout: (request: FastifyRequest, reply: FastifyReply) => void
  readonly #watched = new WeakSet<IncomingMessage>()
  readonly #underWay = new Map<string, number>()
  #underWayInAll = 0

  /** @param onTimeout answers the request where it is not answered, and ends its connection */
  constructor(
    limits: UnknownCallerLimits,
    onTimeout: (request: FastifyRequest, reply: FastifyReply) => void,
  ) {
    this.#limits = limits
    this.#onTimeout = onTimeout
  }

  /** Bounds what is still to come of a request, unless its sender is known. Calling it again for one request changes nothing. */
  awaitBody(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request
    if (callers.has(raw) || raw.complete || !hasBody(raw) || this.#watched.has(raw)) return
    this.#watched.add(raw)
    const network = networkName(clientAddress(request))
    const { bodyTimeoutMs, crowdedBodyTimeoutMs } = this.#limits
    const timeoutMs = this.#isCrowded(network) ? crowdedBodyTimeoutMs : bodyTimeoutMs
    const timer = setTimeout(() => {
      if (!raw.complete) this.#onTimeout(request, reply)
    }, timeoutMs)
    this.#count(network, 1)
    // A request that was answered before its body had come is not closed by itself, and goes with its connection.
    const { socket } = raw
    const end = () => {
      raw.off('close', end)
      socket.off('close', end)
      clearTimeout(timer)
      this.#count(network, -1)
    }
    raw.once('close', end)
    socket.once('close', end)
  }

  #isCrowded(network: string): boolean {
    const { bodiesPerNetworkMax, bodiesMax } = this.#limits
    return (this.#underWay.get(network) ?? 0) >= bodiesPerNetworkMax || this.#underWayInAll >= bodiesMax
  }

  #count(network: string, difference: 1 | -1): void {
    const count = (this.#underWay.get(network) ?? 0) + difference
    this.#underWayInAll += difference
    if (count === 0) this.#underWay.delete(network)
    else this.#underWay.set(network, count)
  }
}

/** Whether a body comes with a request (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
}
