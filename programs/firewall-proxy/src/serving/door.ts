import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import net, { type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { SnapshotTls } from '@palisade/proxy-protocol'
import { Allowance } from '../slow-clients/allowance.ts'
import { carryRequest } from '../traffic/carry-request.ts'
import { Exchange, plainAddress } from '../traffic/exchange.ts'
import { pageOf } from '../traffic/pages.ts'
import type { ServiceRuntime } from './service-runtime.ts'

/** Larger request lines and headers are refused. */
const headersSizeMax = 64 * 1024

/** Connections of one client socket, and what it is doing. */
interface Connection {
  readonly socket: Socket
  readonly allowance: Allowance
  exchange: Exchange | undefined
}

/**
 * One address and port at which clients come. Which service is behind it, and whether it speaks TLS, may change while it is
 * open: connections are handed to a parser of the one or the other kind, and each request to the service of the moment.
 */
export class Door {
  readonly #door: net.Server
  readonly #plain: http.Server
  readonly #secure: https.Server
  /** By the client's address and port, since a TLS socket is another object than the one that was admitted. */
  readonly #connections = new Map<string, Connection>()
  #runtime: ServiceRuntime
  #isClosing = false

  private constructor(runtime: ServiceRuntime) {
    this.#runtime = runtime
    const options = { maxHeaderSize: headersSizeMax, headersTimeout: 0, requestTimeout: 0 }
    this.#plain = http.createServer(options)
    this.#secure = https.createServer(options)
    for (const server of [this.#plain, this.#secure]) this.#prepare(server)
    this.#door = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#admit(socket))
    this.serve(runtime)
  }

  /**
   * Opens an address for clients.
   *
   * @throws Error of the system when it cannot be opened, such as EADDRINUSE
   */
  static async open(runtime: ServiceRuntime): Promise<Door> {
    const door = new Door(runtime)
    const { address, port } = runtime.service
    door.#door.listen({ host: address, port, backlog: 4096 })
    await once(door.#door, 'listening')
    door.#door.on('error', (error) => runtime.log.error({ err: error }, 'a connection was not accepted'))
    return door
  }

  /** From now on requests are this service's. Those that are under way end with the one that they began with. */
  serve(runtime: ServiceRuntime): void {
    const { tls, idleTimeoutSeconds, requestsPerConnectionMax } = runtime.service
    if (tls) this.#secure.setSecureContext(contextOptions(tls))
    for (const server of [this.#plain, this.#secure]) {
      server.keepAliveTimeout = idleTimeoutSeconds * 1000
      server.maxRequestsPerSocket = requestsPerConnectionMax
    }
    this.#runtime = runtime
  }

  /** Looks after clients that take too long; to be called now and then. @param now of `performance` */
  tick(now: number): void {
    for (const connection of this.#connections.values()) this.#watch(connection, now)
  }

  /** Takes no more connections, lets running requests end, and cuts what is left after the grace. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    const closed = new Promise<void>((resolve) => this.#door.close(() => resolve()))
    for (const { socket, exchange } of this.#connections.values()) {
      if (exchange === undefined) socket.destroy()
      else if (!exchange.response.headersSent) exchange.response.shouldKeepAlive = false
    }
    const cut = setTimeout(() => {
      for (const { socket } of this.#connections.values()) socket.destroy()
    }, graceMs)
    await closed
    clearTimeout(cut)
  }

  #prepare(server: http.Server | https.Server): void {
    const handle = (request: IncomingMessage, response: ServerResponse) => this.#handle(request, response)
    server.on('request', handle).on('checkContinue', handle)
    server.on('clientError', (error: Error & { code?: string }, stream) => this.#refuse(error, stream))
  }

  #admit(socket: Socket): void {
    const connection: Connection = {
      socket,
      allowance: new Allowance(socket, performance.now()),
      exchange: undefined,
    }
    const client = clientOf(socket)
    this.#connections.set(client, connection)
    socket.once('close', () => {
      if (this.#connections.get(client) === connection) this.#connections.delete(client)
    })
    const server = this.#runtime.service.tls ? this.#secure : this.#plain
    server.emit('connection', socket)
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const runtime = this.#runtime
    const exchange = new Exchange(request, response, runtime, runtime.now())
    const connection = this.#connections.get(clientOf(request.socket))
    if (connection) connection.exchange = exchange
    if (this.#isClosing) response.shouldKeepAlive = false
    runtime.begin()
    // What cannot be sent any more ends in `close` as well.
    response.on('error', () => undefined)
    response.once('close', () => {
      exchange.bytesReceived = connection?.allowance.bytesRead ?? 0
      if (connection?.exchange === exchange) connection.exchange = undefined
      connection?.allowance.beginRequest()
      runtime.end(exchange)
      if (this.#isClosing) request.socket.end()
    })
    void carryRequest(exchange)
  }

  /** Answers what is no HTTP, and what is ambiguous enough for the parser to refuse it. */
  #refuse(error: Error & { code?: string }, stream: Duplex): void {
    const connection = stream instanceof net.Socket ? this.#connections.get(clientOf(stream)) : undefined
    const isParsed = error.code?.startsWith('HPE_') === true
    if (connection === undefined || !stream.writable || !isParsed) {
      stream.destroy()
      return
    }
    this.#blame(connection, 'Malformed Request', `The parser refused it: ${error.code}.`)
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
    endWith(stream, status, connection.exchange)
  }

  #watch(connection: Connection, now: number): void {
    const { service, patience } = this.#runtime
    const { allowance, socket, exchange } = connection
    const limits = patience.has(plainAddress(socket.remoteAddress)) ? undefined : service.slowClients
    const found = allowance.look({ idleMaxSeconds: service.idleTimeoutSeconds, limits }, exchange, now)
    if (found === 'nothing') return
    if (found === 'end') {
      socket.destroy()
      return
    }
    this.#blame(connection, 'Slow Client Attack', found.blame)
    if (exchange?.response.headersSent) socket.destroy()
    else endWith(exchange?.request.socket ?? socket, 408, exchange)
  }

  #blame({ socket }: Connection, attack: string, detail: string): void {
    this.#runtime.refused({
      violation: { attack, detail },
      clientAddress: plainAddress(socket.remoteAddress),
      clientPort: socket.remotePort ?? 0,
    })
  }
}

function contextOptions({ certificates, oldestVersion, newestVersion }: SnapshotTls): SecureContextOptions {
  return {
    cert: certificates.map(({ chain }) => chain),
    key: certificates.map(({ privateKey }) => privateKey),
    minVersion: oldestVersion,
    maxVersion: newestVersion,
  }
}

/** @throws Error when clients could not be met with this certificate */
export function checkTls(tls: SnapshotTls): void {
  createSecureContext(contextOptions(tls))
}

function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** Answers past Node's own response, which may not exist yet, and ends the connection. */
function endWith(stream: Duplex, status: number, exchange: Exchange | undefined): void {
  const page = pageOf(status, exchange?.id ?? '')
  stream.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nContent-Type: text/html; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(page)}\r\nConnection: close\r\n\r\n${page}`,
    () => stream.destroy(),
  )
}
