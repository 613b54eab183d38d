import type { Socket } from 'node:net'
import { heartbeatMs, silenceMaxMs } from '@palisade/agent-protocol/wire'
import { addressInUse, isOneOfSeveral, type ServerAddresses } from './addresses.ts'

/** How long a server may say nothing, in milliseconds. */
export interface SilenceBounds {
  /** How often it is pinged over the link. */
  readonly heartbeatMs: number
  /** On the link, which it answers pings on. */
  readonly linkMaxMs: number
  /** Until a link is made or refused. */
  readonly handshakeMaxMs: number
  /** Until an enrolment is answered: there is no link yet that would find out sooner. */
  readonly enrolmentMaxMs: number
  /** Until a request looks whether it still has to wait; see {@link RequestSilence}. */
  readonly requestLookMs: number
}

/** A server that says nothing to a request for this long is not going to. Making a large revision durable takes a while. */
const requestMaxMs = 60_000

/** Hasty with the only server would mean to lose it for nothing. */
const ofOneServer: SilenceBounds = {
  heartbeatMs,
  linkMaxMs: silenceMaxMs,
  handshakeMaxMs: silenceMaxMs,
  enrolmentMaxMs: requestMaxMs,
  requestLookMs: requestMaxMs,
}

/** An agent whose server has lost its power is at another within ten seconds. Servers of any version answer each ping. */
const ofSeveralServers: SilenceBounds = {
  heartbeatMs: 2_500,
  linkMaxMs: 8_000,
  handshakeMaxMs: 4_000,
  enrolmentMaxMs: 8_000,
  requestLookMs: 4_000,
}

export function silenceBoundsOf(addresses: ServerAddresses): SilenceBounds {
  return isOneOfSeveral(addresses) ? ofSeveralServers : ofOneServer
}

/**
 * The silence of a server to one request. It has lasted too long after a minute, or the time that is given; where there are several servers, also after a
 * few seconds in which there was no connection, or when the agent uses another one meanwhile: its link has found out that this one is gone.
 */
export class RequestSilence {
  readonly #addresses: ServerAddresses
  readonly #url: string
  readonly #maxMs: number
  #transferredBytes = -1
  #silentMs = 0

  /** @param url the address that the request was sent to */
  constructor(addresses: ServerAddresses, url: string, maxMs = requestMaxMs) {
    this.#addresses = addresses
    this.#url = url
    this.#maxMs = maxMs
  }

  /** After how long without a byte to call {@link lastsTooLong}, each time. */
  get lookMs(): number {
    return silenceBoundsOf(this.#addresses).requestLookMs
  }

  lastsTooLong(socket: Pick<Socket, 'bytesRead' | 'bytesWritten' | 'connecting'>): boolean {
    const transferredBytes = socket.bytesRead + socket.bytesWritten
    if (transferredBytes !== this.#transferredBytes) this.#silentMs = 0
    this.#transferredBytes = transferredBytes
    this.#silentMs += this.lookMs
    return this.#silentMs >= this.#maxMs || socket.connecting || addressInUse(this.#addresses) !== this.#url
  }
}

/** The failure of a request whose server was silent for too long. */
export function silenceError(): Error {
  return Object.assign(new Error('the server went silent'), { code: 'ETIMEDOUT' })
}
