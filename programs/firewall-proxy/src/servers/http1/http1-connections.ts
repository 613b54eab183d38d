import { isIP, isIPv6, type Socket } from 'node:net'
import type { AddressGuard, SnapshotServer } from '@palisade/proxy-protocol'
import { errors } from 'undici'
import { sendAtEndOfTurn } from '../../event-loop-turn.ts'
import { asError } from '../../failure.ts'
import { SwapRemoveList } from '../../swap-remove-list.ts'
import { connectorOf, guardOf, localAddressOf } from '../connecting.ts'
import { logsConnectionIn } from '../connection-login.ts'
import {
  type AnswerReceiver,
  type ServerConnections,
  type ServerRequest,
  TooManyWaiting,
} from '../server-connections.ts'
import { Call, type CallCarrier } from './call.ts'
import { type ConnectionEvents, type ConnectionLimits, ServerConnection } from './connection.ts'
import { openPlainSocket } from './plain-socket.ts'
import { ReadBuffers, SocketBuffer } from './read-buffers.ts'
import { requestHead } from './request-head.ts'
import { ReservedConnections } from './reserved-connections.ts'

/** How often connections are told that time has passed. */
const tickMs = 250

/** Holds a call while its connection is opened: that goes on, for others, when the call has ended. */
const opener: CallCarrier = { drop: () => undefined, pause: () => undefined, resume: () => undefined }

/**
 * Connections over HTTP/1.1, with TLS or without. Each carries one request at a time; there are as many as are needed at once, up to
 * the server's limit, and who comes then waits for the next that is free.
 *
 * A connection that has become free is given to nobody before everything was looked at that has come meanwhile: a server that ends it
 * after its answer without having said so has done that by then.
 */
export class Http1Connections implements ServerConnections, ConnectionEvents {
  readonly #server: SnapshotServer
  readonly #origin: string
  readonly #limits: ConnectionLimits
  readonly #openedMax: number
  readonly #openingMax: number
  readonly #waitingMax: number
  readonly #connect: ReturnType<typeof connectorOf>
  readonly #guard: AddressGuard
  readonly #buffers = new ReadBuffers()
  readonly #all = new Set<ServerConnection>()
  /** The last one that became free last, so that those that are too many grow old. */
  readonly #free: ServerConnection[] = []
  #justFree: ServerConnection[] = []
  readonly #reserved = new ReservedConnections()
  readonly #waiting: Call[] = []
  readonly #calls = new SwapRemoveList<Call>()
  readonly #waitingRoom: CallCarrier = { ...opener, drop: (call) => this.#leaveQueue(call) }
  #opening = 0
  #ticking: NodeJS.Timeout | undefined
  #isClosing = false
  #onIdle: (() => void) | undefined

  constructor(server: SnapshotServer) {
    const { host, port, connectionsMax, keepAliveMs, requestsPerConnectionMax, responseTimeoutMs } = server
    this.#server = server
    this.#origin = `${isIPv6(host) ? `[${host}]` : host}:${port}`
    this.#limits = { keepAliveMs, requestsMax: requestsPerConnectionMax, answerTimeoutMs: responseTimeoutMs }
    this.#openedMax = connectionsMax === 0 ? Number.POSITIVE_INFINITY : connectionsMax
    this.#openingMax = server.establishingMax ?? Number.POSITIVE_INFINITY
    this.#waitingMax = server.waitingMax || Number.POSITIVE_INFINITY
    this.#connect = connectorOf(server, { allowH2: false })
    this.#guard = guardOf(server)
  }

  get underWay(): number {
    return this.#calls.size
  }

  dispatch(request: ServerRequest, receiver: AnswerReceiver): void {
    const call = new Call(request, requestHead(request, this.#origin), receiver, () => this.#forget(call))
    this.#calls.add(call)
    receiver.onStart(call)
    sendAtEndOfTurn(() => {
      if (!call.isOver) this.#serve(call)
    })
  }

  /** Whether a client has logged in over a connection that is for it alone. */
  isReservedFor(client: Socket | undefined): boolean {
    return this.#reserved.isFor(client)
  }

  close(): Promise<void> {
    this.#isClosing = true
    this.#reserved.endUnused()
    for (const connection of this.#free.splice(0)) connection.destroy()
    return new Promise((resolve) => {
      this.#onIdle = resolve
      this.#endWhenIdle()
    })
  }

  onFree(connection: ServerConnection): void {
    if (this.#justFree.length === 0) sendAtEndOfTurn(this.#useFree)
    this.#justFree.push(connection)
  }

  onGone(connection: ServerConnection): void {
    this.#all.delete(connection)
    this.#reserved.forget(connection)
    const at = this.#free.indexOf(connection)
    if (at >= 0) this.#free.splice(at, 1)
    if (this.#all.size === 0) {
      clearInterval(this.#ticking)
      this.#ticking = undefined
    }
    this.#serveWaiting()
  }

  #serve(call: Call): void {
    if (this.#isServedNow(call)) return
    if (this.#waiting.length >= this.#waitingMax) {
      this.#fail(call, new TooManyWaiting())
      return
    }
    this.#waiting.push(call)
    call.carrier = this.#waitingRoom
  }

  /** Gives a call a connection, or opens one for it, where there may be one. */
  #isServedNow(call: Call): boolean {
    const connection = this.#takeFree(call)
    if (connection) this.#carry(connection, call)
    else if (this.#hasRoom()) this.#open(call)
    else return false
    return true
  }

  #carry(connection: ServerConnection, call: Call): void {
    const { headers, client } = call.request
    if (logsConnectionIn(headers)) this.#reserved.reserve(connection, client)
    connection.carry(call)
  }

  /** Whether another connection may be opened: one that is unused gives way to it. */
  #hasRoom(): boolean {
    return this.#opening < this.#openingMax && (this.#hasUnused() || this.#opened < this.#openedMax)
  }

  #hasUnused(): boolean {
    return this.#free.length > 0 || this.#reserved.unusedCount > 0
  }

  /** Connections that are open, or about to be. */
  get #opened(): number {
    return this.#all.size + this.#opening
  }

  #takeFree(call: Call): ServerConnection | undefined {
    // What becomes a WebSocket has to be a stream.
    if (call.request.asksForWebSocket) return undefined
    const serverName = this.#serverNameOf(call)
    const reserved = this.#reserved.take(call.request.client, serverName)
    if (reserved) return reserved
    for (;;) {
      const connection = this.#popFree(serverName)
      if (connection?.isStale !== true) return connection
      connection.destroy()
    }
  }

  #popFree(serverName: string): ServerConnection | undefined {
    if (this.#server.tls === undefined) return this.#free.pop()
    const at = this.#free.findLastIndex((one) => one.serverName === serverName)
    return at < 0 ? undefined : this.#free.splice(at, 1)[0]
  }

  readonly #useFree = (): void => {
    const free = this.#justFree
    this.#justFree = []
    for (const connection of free) {
      if (connection.isGone) continue
      if (this.#isClosing) connection.destroy()
      else if (this.#reserved.has(connection)) this.#reserved.free(connection)
      else this.#free.push(connection)
    }
    this.#serveWaiting()
  }

  #serveWaiting(): void {
    // Those that no unused connection fits wait on, in their order.
    const unservedCalls: Call[] = []
    while (this.#waiting.length > 0 && (this.#hasUnused() || this.#hasRoom())) {
      const call = this.#waiting.shift()
      if (call && !this.#isServedNow(call)) unservedCalls.push(call)
    }
    this.#waiting.unshift(...unservedCalls.filter((call) => !call.isOver))
  }

  /** Opens a connection for a call, which waits for it. */
  #open(call: Call): void {
    const serverName = this.#serverNameOf(call)
    const buffer = this.#isRead(call) ? new SocketBuffer(this.#buffers) : undefined
    this.#opening++
    call.carrier = opener
    // It counts by now: whoever waits finds no room where this one gives way.
    if (this.#opened > this.#openedMax) this.#giveWay()
    const opened = (error: Error | null, socket: Socket | null) => {
      this.#opening--
      if (error !== null || socket === null) {
        this.#fail(call, error ?? new errors.SocketError())
        this.#serveWaiting()
        return
      }
      const connection = new ServerConnection(socket, serverName, this.#limits, this, buffer)
      this.#all.add(connection)
      this.#ticking ??= setInterval(this.#tick, tickMs).unref()
      if (call.isOver) this.onFree(connection)
      else this.#carry(connection, call)
      this.#serveWaiting()
    }
    try {
      if (buffer) openPlainSocket(this.#server, this.#guard, buffer, opened)
      else this.#connect(this.#connectorOptions(serverName), opened)
    } catch (error) {
      // With what the configuration says nothing can be opened, as with a certificate that is too weak for TLS.
      opened(asError(error), null)
    }
  }

  #giveWay(): void {
    const [oldest] = this.#free
    if (oldest) oldest.destroy()
    else this.#reserved.endOldest()
  }

  /** Whether a connection for a call can be one that is no stream: what is in TLS, or becomes a WebSocket, is one. */
  #isRead({ request }: Call): boolean {
    return this.#server.tls === undefined && !request.asksForWebSocket
  }

  #connectorOptions(servername: string): Parameters<ReturnType<typeof connectorOf>>[0] {
    const { host, port, tls } = this.#server
    const serverNameOption = servername === '' ? {} : { servername }
    const protocol = tls ? 'https:' : 'http:'
    return {
      hostname: host,
      host,
      protocol,
      port: String(port),
      ...serverNameOption,
      ...localAddressOf(this.#server),
    }
  }

  #fail(call: Call, error: Error): void {
    if (call.isOver) return
    call.finish()
    call.receiver.onFailure(error)
  }

  #leaveQueue(call: Call): void {
    const at = this.#waiting.indexOf(call)
    if (at >= 0) this.#waiting.splice(at, 1)
  }

  #forget(call: Call): void {
    this.#calls.delete(call)
    this.#endWhenIdle()
  }

  #endWhenIdle(): void {
    if (this.#onIdle === undefined || this.#calls.size > 0) return
    this.#onIdle()
    this.#onIdle = undefined
  }

  readonly #tick = (): void => {
    for (const connection of this.#all) connection.tick(tickMs)
  }

  /** The name that the server is told in TLS: the host that the client asks for; an address is no name. */
  #serverNameOf({ head }: Call): string {
    return this.#server.tls === undefined || isIP(head.host) !== 0 ? '' : head.host
  }
}
