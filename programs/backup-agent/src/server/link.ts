/**
 * The link: one WebSocket to the server over which it says what is to be done.
 *
 *     connect ──> hello ──> messages both ways ──> lost ──┐
 *        ^                                                │
 *        └──────────────── wait, 0.5 to 15 s ─────────────┘
 *
 * Both sides ping, and take a link that was silent for too long for dead. Each wait is longer than the one before, until a
 * link has held: a server that takes links and cuts them is not asked twice a second.
 */
import { type AgentMessage, parseServerMessage, type ServerMessage } from '@palisade/agent-protocol'
import {
  agentPaths,
  heartbeatMs,
  serverMessageSizeMaxBytes,
  silenceMaxMs,
} from '@palisade/agent-protocol/wire'
import type { Log } from '@palisade/log'
import { type RawData, WebSocket } from 'ws'
import { Backoff } from '../backoff.ts'
import { describe } from '../failure.ts'
import { type ServerConnection, tlsOptions } from './connection.ts'
import { startHeartbeat } from './heartbeat.ts'

/** What stands on the other end of the link. */
export interface LinkListener {
  /** Said first on each new connection. */
  hello(): AgentMessage
  /** The link is up; `hello` was sent. */
  onConnected(): void
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

/** How a connection ended. */
type End = 'lost' | 'credential-refused'

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
   * Keeps the link until the server refuses the credential or the signal is aborted; then it rejects with the
   * signal's reason.
   */
  async keep(signal: AbortSignal): Promise<'credential-refused'> {
    const backoff = new Backoff()
    for (;;) {
      signal.throwIfAborted()
      const end = await this.#connectOnce(signal, () => backoff.reset())
      if (end === 'credential-refused') return end
      await backoff.wait(signal, (delayMs) => {
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

  #connectOnce(signal: AbortSignal, onHeld: () => void): Promise<End> {
    const { baseUrl, credential, trust } = this.#connection
    const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}${agentPaths.link}`, {
      headers: { authorization: `Bearer ${credential}` },
      handshakeTimeout: silenceMaxMs,
      maxPayload: serverMessageSizeMaxBytes,
      perMessageDeflate: false,
      autoPong: false,
      ...tlsOptions(trust),
    })
    let stopHeartbeat = () => {}
    let held: NodeJS.Timeout | undefined
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
      socket.on('open', () => {
        held = setTimeout(onHeld, holdsAfterMs)
        this.#socket = socket
        stopHeartbeat = startHeartbeat(socket, () => {
          this.#log.warn('no heartbeat from the server; reconnecting')
          socket.terminate()
        })
        this.send(this.#listener.hello())
        this.#listener.onConnected()
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
      socket.on('unexpected-response', (request, { statusCode: status }) => {
        this.#log.warn({ status }, 'the server refused the link')
        request.destroy()
        ended(status === 401 ? 'credential-refused' : 'lost')
      })
      socket.on('error', (error) => {
        if (!signal.aborted) this.#log.warn(`no link to the server: ${describe(error)}`)
      })
      socket.on('close', (code) => {
        this.#log.info({ code }, 'link closed')
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
