/**
 * The link: one WebSocket to the server over which it says what is to be done.
 *
 *     connect ──> hello ──> messages both ways ──> lost ──┐
 *        ^                                                │
 *        ├──── at once, to the next address ──────────────┤
 *        └──── all were tried: wait, 0.5 to 15 s ─────────┘
 *
 * Both sides ping, and take a link that was silent for too long for dead. Each wait is longer than the one before, until a
 * link has held: servers that take links and cut them are not asked twice a second.
 *
 * With the connection both sides say which versions of the protocol they speak. Without one in common there is no link.
 */

import type { IncomingMessage } from 'node:http'
import { type AgentMessage, parseServerMessage, type ServerMessage } from '@palisade/agent-protocol'
import {
  agentPaths,
  heartbeatMs,
  protocolHeader,
  protocolVersions,
  readProtocolVersions,
  serverMessageSizeMaxBytes,
  sharedVersion,
  whyNoSharedVersion,
} from '@palisade/agent-protocol/wire'
import type { Log } from '@palisade/log'
import { describe } from '@palisade/start-up'
import { type RawData, WebSocket } from 'ws'
import { AddressRounds } from './address-rounds.ts'
import { addressInUse, isOneOfSeveral, leaveAddress } from './addresses.ts'
import { processHeader, type ServerConnection, tlsOptions, versionHeader } from './connection.ts'
import { readBeginning } from './exchange.ts'
import { startHeartbeat } from './heartbeat.ts'
import { explanationOf, isUnavailable } from './request-failure.ts'
import { silenceBoundsOf } from './silence.ts'

/** What stands on the other end of the link. */
export interface LinkListener {
  /** Said first on each new connection. */
  hello(): AgentMessage
  /**
   * The link is up; `hello` was sent.
   *
   * @param serverUrl the address that it leads to
   * @param protocol the version of the protocol that both sides speak
   */
  onConnected(serverUrl: string, protocol: number): void
  /** @param sizeBytes as it came */
  onMessage(message: ServerMessage, sizeBytes: number): void
  /** The link has ended, however it came; what the server had asked has nobody to hear the answer. */
  onLost(): void
}

/** A server that does not read what it is sent, and goes on asking, would have all answers kept in memory. */
const unheardMaxBytes = 16 * 1024 * 1024
/** An agent that is told to stop does not wait longer for the server's farewell. */
const farewellMaxMs = 1_000

/** A link that lasts for a heartbeat was not taken only to be cut. */
const holdsAfterMs = heartbeatMs

/** Why the server gives no link until somebody acts: it does not accept the credential, or speaks no version that this agent does. */
export type LinkRefusal = 'credential-refused' | 'no-shared-version'

/** How a connection ended: the server is not there or of no use for now, or it is and gives no link, which another would not either. */
type End = 'lost' | 'turned-away' | LinkRefusal

/** What the server answers when it shares no version with the agent. */
const notAcceptable = 406

/** The WebSocket to the server: opens it, keeps it alive and opens it anew with growing pauses. */
export class Link {
  readonly #connection: ServerConnection
  readonly #listener: LinkListener
  readonly #log: Log
  #socket: WebSocket | undefined

  constructor(connection: ServerConnection, listener: LinkListener, log: Log) {
    this.#connection = connection
    this.#listener = listener
    this.#log = log
  }

  /**
   * Keeps the link until it is refused or the signal is aborted; then it rejects with the signal's reason.
   * Why there is no shared version is in the log.
   */
  async keep(signal: AbortSignal): Promise<LinkRefusal> {
    const { addresses } = this.#connection
    const rounds = new AddressRounds(addresses)
    for (;;) {
      signal.throwIfAborted()
      const url = addressInUse(addresses)
      const end = await this.#connectOnce(url, signal, () => rounds.reset())
      if (end === 'lost') leaveAddress(addresses, url)
      else if (end !== 'turned-away') return end
      await rounds.wait(signal, (delayMs) => {
        this.#log.info({ delayMs }, 'waiting before the next attempt')
      })
    }
  }

  /** Sends a message now, or not at all when there is no link: what matters is said again after `hello`. */
  send(message: AgentMessage): void {
    const socket = this.#socket
    if (socket?.readyState === WebSocket.OPEN && this.#isHeard(socket)) socket.send(JSON.stringify(message))
  }

  /** Whether the server reads what it is sent. If not, the link is ended. */
  #isHeard(socket: WebSocket): boolean {
    if (socket.bufferedAmount <= unheardMaxBytes) return true
    this.#log.warn('the server has stopped reading; reconnecting')
    socket.terminate()
    return false
  }

  /** What an answer means that is no link; what it says is in the log. */
  async #refusalIn(response: IncomingMessage, log: Log): Promise<End> {
    const { statusCode: status = 0 } = response
    const explanation = await readBeginning(response).then(explanationOf, describe)
    const level = status === notAcceptable ? 'error' : 'warn'
    log[level]({ status }, `the server refused the link${explanation === '' ? '' : `: ${explanation}`}`)
    if (status === notAcceptable) return 'no-shared-version'
    if (status === 401) return 'credential-refused'
    return isUnavailable(status) ? 'lost' : 'turned-away'
  }

  /** The version that this agent and a server use that has answered; undefined, and told in the log, when there is none. */
  #sharedVersion({ headers }: IncomingMessage): number | undefined {
    const header = headers[protocolHeader]
    const server = readProtocolVersions(Array.isArray(header) ? header.join() : header)
    const version = server && sharedVersion(protocolVersions, server)
    if (version === undefined) {
      const why = server ? whyNoSharedVersion(protocolVersions, server) : `${protocolHeader} cannot be read`
      this.#log.error(`no link to the server: ${why}`)
    }
    return version
  }

  #connectOnce(serverUrl: string, signal: AbortSignal, onHeld: () => void): Promise<End> {
    const { addresses, credential, trust } = this.#connection
    const bounds = silenceBoundsOf(addresses)
    const log = isOneOfSeveral(addresses) ? this.#log.child({ serverUrl }) : this.#log
    const socket = new WebSocket(`${serverUrl.replace(/^http/, 'ws')}${agentPaths.link}`, {
      headers: { authorization: `Bearer ${credential}`, ...versionHeader, ...processHeader },
      handshakeTimeout: bounds.handshakeMaxMs,
      maxPayload: serverMessageSizeMaxBytes,
      perMessageDeflate: false,
      autoPong: false,
      ...tlsOptions(trust),
    })
    let stopHeartbeat = () => {}
    let held: NodeJS.Timeout | undefined
    let version: number | undefined
    const stop = () => {
      socket.close(1001)
      setTimeout(() => socket.terminate(), farewellMaxMs).unref()
    }
    signal.addEventListener('abort', stop)
    return new Promise<End>((resolve) => {
      const ended = (end: End) => {
        stopHeartbeat()
        clearTimeout(held)
        signal.removeEventListener('abort', stop)
        this.#socket = undefined
        this.#listener.onLost()
        resolve(end)
      }
      socket.on('upgrade', (response) => {
        version = this.#sharedVersion(response)
      })
      socket.on('open', () => {
        if (version === undefined) {
          socket.terminate()
          ended('no-shared-version')
          return
        }
        held = setTimeout(onHeld, holdsAfterMs)
        this.#socket = socket
        stopHeartbeat = startHeartbeat(socket, bounds, () => {
          log.warn('no heartbeat from the server; reconnecting')
          socket.terminate()
        })
        this.send(this.#listener.hello())
        this.#listener.onConnected(serverUrl, version)
      })
      socket.on('ping', (data) => {
        if (socket.readyState === WebSocket.OPEN && this.#isHeard(socket)) socket.pong(data)
      })
      socket.on('message', (data) => {
        const bytes = wholeOf(data)
        const message = parseServerMessage(bytes.toString())
        if (message === undefined) this.#log.warn('ignoring a message of an unknown type from the server')
        else this.#listener.onMessage(message, bytes.length)
      })
      socket.on('unexpected-response', (request, response) => {
        const limit = setTimeout(() => request.destroy(), bounds.handshakeMaxMs)
        void this.#refusalIn(response, log).then((end) => {
          clearTimeout(limit)
          request.destroy()
          ended(end)
        })
      })
      socket.on('error', (error) => {
        if (!signal.aborted) log.warn(`no link to the server: ${describe(error)}`)
      })
      socket.on('close', (code) => {
        log.info({ code }, 'link closed')
        ended('lost')
      })
    })
  }
}

/** Messages come as one buffer, unless the socket is told otherwise. */
function wholeOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  throw new Error('a message came in pieces')
}
