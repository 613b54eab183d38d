import { randomUUID, type X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { constants, type ServerHttp2Session } from 'node:http2'
import net, { type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { challengeFront, type TlsFront } from '@palisade/acme-challenges'
import type { SlowClientLimits, SnapshotTls } from '@palisade/proxy-protocol'
import { type ClientRequest, type ClientResponse, hasBody, isHttp2 } from '../exchange/client-message.ts'
import type { Upgrade } from '../exchange/exchange.ts'
import { Exchange, plainAddress } from '../exchange/exchange.ts'
import { certificateOf } from '../filters/client-certificates.ts'
import { serialDigits } from '../revocation/certificate-list.ts'
import { type LoadedRevocationList, nameInOneLine } from '../revocation/revocation-lists.ts'
import { countedMs } from '../slow-clients/allowance.ts'
import { limitSendQueue } from '../slow-clients/send-queue.ts'
import { carryRequest } from '../traffic/carry-request.ts'
import { pageOf } from '../traffic/pages.ts'
import type { ServiceRuntime } from '../traffic/service-runtime.ts'
import { ClientRevocation } from './client-revocation.ts'
import { Connection, endsWithResponse } from './connection.ts'
import { countPieces } from './counted-requests.ts'
import { HttpFront } from './http-front.ts'
import { type ListeningSockets, socketOf } from './listening-sockets.ts'
import { type ProxyHeader, readProxyHeader } from './proxy-header.ts'
import { certificateName, tlsFront } from './tls-front.ts'

/** How a listener is opened. */
export interface ListenerOpening {
  /** Tells it from all others; the same in every process. */
  readonly place: string
  /** Whether other processes open it too; the system then gives each connection to one of them. */
  readonly isShared: boolean
  /** Present where its socket outlives this process. */
  readonly sockets?: ListeningSockets | undefined
}

/** How long a client may take why its connection is ended, in milliseconds. */
const farewellMs = 500

/** Connections that wait to be accepted. */
const connectionsWaitingMax = 4096

/**
 * One address and port at which clients come. Which service is behind it, and whether it speaks TLS, may change while it is
 * open: connections are handed to TLS and to a parser, and each request to the service of the moment.
 */
export class Listener {
  readonly #listener: net.Server
  readonly #http: HttpFront
  #tls:
    | {
        readonly front: TlsFront
        readonly given: SnapshotTls
        readonly lists: readonly LoadedRevocationList[] | undefined
        readonly revocation: ClientRevocation | undefined
      }
    | undefined
  /** By the client's address and port, since a TLS socket is another object than the one that was admitted. */
  readonly #connections = new Map<string, Connection>()
  #runtime: ServiceRuntime
  #lookedAt = performance.now()
  #isClosing = false

  private constructor(runtime: ServiceRuntime) {
    this.#runtime = runtime
    this.#http = new HttpFront({
      onRequest: (request, response, upgrade) => this.#handle(request, response, upgrade),
      onError: (error, stream) => this.#refuseUnread(error, stream),
      onConnect: (socket) => this.#refuse(socket, 400, 'CONNECT is not taken.'),
      onSession: (session) => this.#begin(session),
      allowsWebSockets: (socket) => this.#allowsWebSocket(socket),
    })
    this.#listener = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#admit(socket))
    this.serve(runtime)
  }

  /**
   * Opens an address for clients.
   *
   * @param opening how this process and others open it
   * @throws Error of the system when it cannot be opened, such as EADDRINUSE
   */
  static async open(
    runtime: ServiceRuntime,
    { place, isShared, sockets }: ListenerOpening,
  ): Promise<Listener> {
    const listener = new Listener(runtime)
    const { address, port } = runtime.service
    const adopted = sockets?.adopt(place)
    if (adopted) listener.#listener.listen(adopted, connectionsWaitingMax)
    else {
      const exclusive = isShared || sockets !== undefined
      listener.#listener.listen({
        host: address,
        port,
        backlog: connectionsWaitingMax,
        exclusive,
        reusePort: isShared,
      })
    }
    await once(listener.#listener, 'listening')
    const socket = adopted ? undefined : socketOf(listener.#listener)
    if (socket) sockets?.share(place, socket)
    listener.#listener.on('error', (error) =>
      runtime.log.error({ err: error }, 'a connection was not accepted'),
    )
    return listener
  }

  /** From now on requests are this service's. Those that are under way end with the one that they began with. */
  serve(runtime: ServiceRuntime): void {
    const { tls, idleTimeoutSeconds, requestsPerConnectionMax } = runtime.service
    const before = this.#tls
    const lists = runtime.revocationLists
    if (tls === undefined) this.#tls = undefined
    else if (!areSame(lists, before?.lists) || JSON.stringify(tls) !== JSON.stringify(before?.given)) {
      const front = tlsFront(tls, lists, {
        onSecure: (socket) => this.#secure(socket),
        onRefused: (socket, detail) => this.#refuseCertificate(socket, detail),
        onCount: (counter) => this.#runtime.count(counter),
      })
      const { statusResponder, authorities = [] } = tls.clients ?? {}
      const revocation = statusResponder && new ClientRevocation(statusResponder, authorities)
      this.#tls = { front: challengeFront(runtime.challenges, front), given: tls, lists, revocation }
    }
    this.#http.limit(idleTimeoutSeconds * 1000, requestsPerConnectionMax)
    this.#runtime = runtime
    if (this.#tls?.lists && this.#tls !== before) this.#endRevoked(this.#tls.lists)
  }

  /** How many connections of clients are open. */
  get connectionCount(): number {
    return this.#connections.size
  }

  /** Looks after clients that take too long; to be called now and then. @param now of `performance` */
  tick(now: number): void {
    const elapsedMs = countedMs(now - this.#lookedAt)
    this.#lookedAt = now
    for (const connection of this.#connections.values()) this.#watch(connection, now, elapsedMs)
  }

  /** Fails the requests of which this is true, as far as servers are doing something for them, and ends their WebSockets. */
  cut(isMeant: (exchange: Exchange) => boolean, reason: Error): void {
    for (const { exchange, streams } of this.#connections.values()) {
      const all = exchange ? [exchange] : streams.all().map((stream) => stream.exchange)
      for (const one of all) if (isMeant(one)) one.serverAbort?.abort(reason)
    }
  }

  /**
   * Takes no more connections, lets running requests end, and cuts what is left after the grace.
   *
   * @param idleMs how long a connection without a request may still bring its last one, which can be on its way; at most the grace
   */
  async close(graceMs: number, idleMs: number): Promise<void> {
    this.#isClosing = true
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()))
    for (const { exchange, session } of this.#connections.values()) {
      if (session) session.close()
      else if (exchange) endsWithResponse(exchange.response)
    }
    const cutIdle = setTimeout(() => {
      for (const { socket, exchange, session } of this.#connections.values()) {
        if (session === undefined && exchange === undefined) socket.destroy()
      }
    }, idleMs)
    const cut = setTimeout(() => {
      for (const { socket } of this.#connections.values()) socket.destroy()
    }, graceMs)
    await closed
    clearTimeout(cutIdle)
    clearTimeout(cut)
  }

  #admit(socket: Socket): void {
    const connection = new Connection(socket, performance.now(), (detail) => this.#calm(connection, detail))
    limitSendQueue(socket)
    this.#runtime.count('connections')
    const client = clientOf(socket)
    this.#connections.set(client, connection)
    socket.once('close', () => {
      if (this.#connections.get(client) === connection) this.#connections.delete(client)
    })
    if (this.#runtime.service.expectsProxyHeader) this.#readProxyHeader(connection)
    else this.#speak(socket)
  }

  #speak(socket: Socket): void {
    if (this.#tls) this.#tls.front.admit(socket)
    else this.#http.admit(socket, null)
  }

  /** Reads the PROXY header of a load balancer. A connection whose header is not accepted ends. */
  #readProxyHeader(connection: Connection): void {
    const { socket } = connection
    const refuse = (detail: string) => {
      this.#blame(connection, 'invalid-or-malformed-http-request', detail)
      socket.destroy()
    }
    const isTrusted = this.#runtime.trustedProxies?.has(plainAddress(socket.remoteAddress))
    if (isTrusted === false) {
      refuse(
        'PROXY headers are accepted from the proxies in proxy-list alone: add this address if it is a load balancer.',
      )
      return
    }
    const take = ({ client }: ProxyHeader) => {
      if (client) connection.proxiedClient = { ...client, isTrusted: isTrusted === true }
      this.#speak(socket)
    }
    readProxyHeader(socket, take, refuse)
  }

  #secure(socket: TLSSocket): void {
    const connection = this.#connections.get(clientOf(socket))
    if (connection) connection.tlsSocket = socket
    const certificate = this.#tls?.revocation && certificateOf(socket)
    if (certificate) void this.#askForStatus(certificate, socket)
    else this.#http.admit(socket, socket.alpnProtocol)
  }

  /** Nothing is read of a client before its certificate is known to be good. */
  async #askForStatus(certificate: X509Certificate, socket: TLSSocket): Promise<void> {
    const onError = () => socket.destroy()
    socket.on('error', onError)
    const refusal = await this.#tls?.revocation?.refusalOf(certificate, socket)
    socket.off('error', onError)
    if (socket.destroyed) return
    if (refusal === undefined && !this.#isClosing) this.#http.admit(socket, socket.alpnProtocol)
    else {
      if (refusal !== undefined)
        this.#refuseCertificate(socket, `The certificate ${certificateName(certificate)} ${refusal}.`)
      socket.on('error', onError).destroy()
    }
  }

  #refuseCertificate(socket: Socket, detail: string): void {
    const connection = this.#connections.get(clientOf(socket))
    if (connection) this.#blame(connection, 'deny-acl-matched', detail)
  }

  /** Ends the connections of clients whose certificates are on one of the lists. */
  #endRevoked(lists: readonly LoadedRevocationList[]): void {
    const shown = [...this.#connections.values()].flatMap((connection) => {
      const certificate = connection.tlsSocket && certificateOf(connection.tlsSocket)
      return certificate ? [{ connection, certificate, digits: serialDigits(certificate.serialNumber) }] : []
    })
    const serials = new Set(shown.map(({ digits }) => digits))
    for (const { list, issuer } of serials.size === 0 ? [] : lists) {
      const revoked = list.revokedAmong(serials)
      for (const { connection, certificate, digits } of shown) {
        if (!revoked.has(digits) || nameInOneLine(certificate.issuer) !== issuer) continue
        const detail = `The certificate ${certificateName(certificate)} was revoked.`
        this.#blame(connection, 'deny-acl-matched', detail, connection.exchange)
        connection.socket.destroy()
      }
    }
  }

  #begin(session: ServerHttp2Session): void {
    const connection = this.#connections.get(clientOf(session.socket))
    if (connection) connection.session = session
    if (this.#isClosing) session.close()
  }

  /**
   * Carries a request, over HTTP/1 when those before it on the connection were answered: their answers may end the connection, and
   * their order may matter to the server.
   */
  #handle(request: ClientRequest, response: ClientResponse, upgrade: Upgrade | undefined): void {
    const connection = this.#connections.get(clientOf(request.socket))
    if (connection && hasBody(request)) countPieces(request, (bytes) => connection.pieces.count(bytes))
    if (connection?.exchange === undefined) {
      this.#carry(request, response, upgrade, connection)
      return
    }
    const { socket } = request
    const carry = () => this.#carry(request, response, upgrade, connection)
    const waits = connection.letWait({ request, response, carry }, socket)
    if (waits || socket.destroyed) return
    this.#blame(connection, 'invalid-or-malformed-http-request', 'Too many requests came before the answers.')
    socket.destroy()
  }

  /** Behind a request that is not answered yet, a request is carried like any other: its answer would have no socket of its own. */
  #allowsWebSocket(socket: Socket): boolean {
    const isFree = this.#connections.get(clientOf(socket))?.exchange === undefined
    return isFree && this.#runtime.service.allowsWebSockets
  }

  #carry(
    request: ClientRequest,
    response: ClientResponse,
    upgrade: Upgrade | undefined,
    connection: Connection | undefined,
  ): void {
    const runtime = this.#runtime
    const exchange = new Exchange(
      request,
      response,
      runtime,
      runtime.judges.own,
      upgrade,
      connection?.proxiedClient,
    )
    const stream = connection?.begin(exchange)
    if (this.#isClosing) endsWithResponse(response)
    runtime.begin(exchange)
    // What cannot be sent any more ends in `close` as well.
    response.on('error', () => undefined)
    response.on('close', () => {
      // What a server has not read before it answered: behind it comes the next request.
      if (!request.complete) request.resume()
      exchange.bytesReceived = isHttp2(response)
        ? exchange.bytesTaken
        : (connection?.allowance.bytesRead ?? 0)
      connection?.end(exchange, stream)
      if (isHttp2(response) && response.stream.rstCode !== constants.NGHTTP2_NO_ERROR)
        connection?.pieces.countReset()
      runtime.end(exchange)
      if (this.#isClosing && !isHttp2(response)) request.socket.end()
      connection?.carryNext(request.socket)
    })
    void carryRequest(exchange, runtime)
  }

  /** Answers what is no HTTP, and what is ambiguous enough for the parser to refuse it. */
  #refuseUnread({ code }: Error & { code?: string }, stream: Duplex): void {
    if (!code?.startsWith('HPE_')) {
      stream.destroy()
      return
    }
    const detail = `The parser refused it: ${code}.`
    const connection = this.#connectionOf(stream)
    if (connection?.endBehindWholeRequests())
      this.#blame(connection, 'invalid-or-malformed-http-request', detail)
    else this.#refuse(stream, code === 'HPE_HEADER_OVERFLOW' ? 431 : 400, detail)
  }

  /** Answers what does not become a request, and ends its connection. */
  #refuse(stream: Duplex, status: number, detail: string): void {
    const connection = this.#connectionOf(stream)
    if (connection === undefined || !stream.writable) {
      stream.destroy()
      return
    }
    const { exchange } = connection
    const broken = exchange?.request.complete ? undefined : exchange
    const requestId = this.#blame(connection, 'invalid-or-malformed-http-request', detail, broken)
    // Anything else would be read as the rest of the answer that is being sent.
    if (exchange?.response.headersSent) stream.destroy()
    else endWith(stream, status, requestId)
  }

  #connectionOf(stream: Duplex): Connection | undefined {
    return stream instanceof net.Socket ? this.#connections.get(clientOf(stream)) : undefined
  }

  #watch(connection: Connection, now: number, elapsedMs: number): void {
    const { service, patience } = this.#runtime
    const { allowance, socket, exchange, session } = connection
    // A WebSocket is silent for as long as its two sides want.
    if (exchange?.isTunnel) return
    const limits = patience.has(connection.peerAddress) ? undefined : service.slowClients
    if (session && limits) this.#watchStreams(connection, limits, elapsedMs)
    const verdict = allowance.look(
      { idleMaxSeconds: service.idleTimeoutSeconds, limits, isShared: session !== undefined },
      connection.anyExchange,
      now,
    )
    if (verdict === 'nothing') return
    if (verdict === 'end') {
      // A client may stay although its session was closed.
      if (session?.closed === false) session.close()
      else socket.destroy()
      return
    }
    const requestId = this.#blame(connection, 'slow-client-attack', verdict.blame, connection.anyExchange)
    // What the system still holds for it goes as well.
    if (verdict.during === 'response' || exchange?.response.headersSent) socket.resetAndDestroy()
    else if (session) endSession(session, socket, verdict.blame)
    else endWith(exchange?.request.socket ?? socket, 408, requestId)
  }

  /** Ends a connection that has a worker do too much by too little. */
  #calm(connection: Connection, detail: string): void {
    const { socket, session } = connection
    this.#blame(connection, 'rate-control-intrusion', detail, connection.anyExchange)
    if (session) endSession(session, socket, detail)
    else socket.destroy()
  }

  #watchStreams(connection: Connection, limits: SlowClientLimits, elapsedMs: number): void {
    for (const allowance of connection.streams.all()) {
      const { exchange } = allowance
      const { response } = exchange
      const blame = allowance.look(limits, elapsedMs)
      if (blame === undefined) continue
      this.#blame(connection, 'slow-client-attack', blame, exchange)
      if (isHttp2(response)) response.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    }
  }

  /** @param exchange what it is about, where that has become a request. @returns the id by which it is found in logs */
  #blame({ socket, proxiedClient }: Connection, attack: string, detail: string, exchange?: Exchange): string {
    const requestId = exchange?.id ?? randomUUID()
    this.#runtime.refused({
      requestId,
      violation: { attack, detail },
      clientAddress: proxiedClient?.address ?? plainAddress(socket.remoteAddress),
      clientPort: proxiedClient?.port ?? socket.remotePort ?? 0,
    })
    return requestId
  }
}

/** Whether these are the same lists, object for object. */
function areSame(
  some: readonly LoadedRevocationList[] = [],
  others: readonly LoadedRevocationList[] = [],
): boolean {
  return some.length === others.length && some.every(({ list }, index) => list === others[index]?.list)
}

function clientOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`
}

/** Ends a connection of HTTP/2 whose client goes too far; one that does not end it in its turn is cut off. */
function endSession(session: ServerHttp2Session, socket: Socket, reason: string): void {
  session.destroy(new Error(reason), constants.NGHTTP2_ENHANCE_YOUR_CALM)
  setTimeout(() => socket.destroy(), farewellMs)
}

/** Answers past Node's own response, which may not exist yet, and ends the connection. */
function endWith(stream: Duplex, status: number, requestId: string): void {
  const page = pageOf(status, requestId)
  stream.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nContent-Type: text/html; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(page)}\r\nConnection: close\r\n\r\n${page}`,
    () => stream.destroy(),
  )
}
