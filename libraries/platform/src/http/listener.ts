import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContextOptions } from 'node:tls'
import { challengeFront } from '@palisade/acme-challenges'
import { withRequestId } from '@palisade/log'
import { whyNotListening } from '@palisade/start-up'
import { requestIdOf } from '@palisade/tracing'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, statusOfRefusal } from '../refusal.ts'
import type { ServerCertificate } from './certificate.ts'
import type { ListenerOptions } from './listener-options.ts'
import { newApp } from './new-app.ts'
import { refusalOfClientError, tooSlow } from './refusal-of-client-error.ts'
import { settleHost } from './request-target.ts'
import { traceRequest } from './traced-requests.ts'
import { UnknownCallers, unknownCallerLimits } from './unknown-callers.ts'

/** The two ways into a listener. */
export type Scheme = 'http' | 'https'

/** Where a listener listens. Port 0 lets the system choose. */
export interface ListenAddresses extends Readonly<Record<Scheme, number>> {
  readonly host: string
}

/** How long a client may take to send the head of a request and one whole request, and how long an idle connection is kept. */
const headTimeoutMs = 20_000
const requestTimeoutMs = 300_000
const keepAliveTimeoutMs = 72_000
/** How often Node looks for connections that have taken longer. */
const connectionsCheckingInterval = 2_000
/** A client that does not close its side after an answer that ends the connection is cut off. */
const lingerMs = 1_000

/** One application at two ports, one of HTTP and one of HTTPS. */
export class Listener {
  #app: FastifyInstance
  readonly #servers: (http.Server | https.Server)[] = []
  #secure: https.Server | undefined
  #tls: SecureContextOptions = {}
  /** Connections that left HTTP, or have not come so far, which the servers know nothing of. */
  readonly #outsideHttp = new Set<Duplex>()
  readonly #options: ListenerOptions
  readonly #unknownCallers: UnknownCallers

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#unknownCallers = new UnknownCallers(
      options.unknownCallers ?? unknownCallerLimits,
      (request, reply) => this.#endUnfinished(request, reply),
    )
    this.#app = newApp(this.#options, this.#unknownCallers)
  }

  /** What answers requests. */
  get app(): FastifyInstance {
    return this.#app
  }

  /**
   * Has another application answer from now on, at the same ports. Requests under way are answered by the former one; its WebSockets
   * are told that it goes, and end.
   *
   * @param mount gives the new one its routes
   */
  async replaceApp(mount: (app: FastifyInstance) => Promise<void>): Promise<void> {
    const app = newApp(this.#options, this.#unknownCallers)
    await mount(app)
    await app.ready()
    const former = this.#app
    this.#app = app
    await former.close()
  }

  /**
   * Opens both ports.
   *
   * @param certificate the certificate chain and its private key, PEM
   * @param named what names the addresses, such as "firewall.listen"
   * @returns the ports that were opened
   * @throws Error that names the member whose address cannot be opened, and says why
   */
  async listen(
    addresses: ListenAddresses,
    certificate: ServerCertificate,
    named = 'listen',
  ): Promise<{ http: number; https: number }> {
    this.present(certificate)
    return {
      http: await this.open('http', addresses, named),
      https: await this.open('https', addresses, named),
    }
  }

  /**
   * Opens one port, which is not open. May be called again when it cannot be opened; `present` goes before HTTPS.
   *
   * @param named what names the addresses, such as "firewall.listen"
   * @returns the port that was opened
   * @throws Error that names the member whose address cannot be opened, and says why
   */
  async open(scheme: Scheme, { host, [scheme]: port }: ListenAddresses, named = 'listen'): Promise<number> {
    await this.app.ready()
    const options = {
      shouldUpgradeCallback: (request: http.IncomingMessage) => this.#takesUpgrade(request),
      connectionsCheckingInterval,
      // A request without one is refused in the words of a service.
      requireHostHeader: false,
    }
    const serve: http.RequestListener = (request, response) => this.#serve(request, response)
    if (scheme === 'http') return this.#open(http.createServer(options, serve), host, port, `${named}.http`)
    const secure = https.createServer({ ...this.#tls, ...options }, serve)
    this.#answerAuthorities(secure)
    const opened = await this.#open(secure, host, port, `${named}.https`)
    this.#secure = secure
    // It may be another one than when it was begun to open.
    secure.setSecureContext(this.#tls)
    return opened
  }

  /** Presents another certificate to whoever connects from now on. */
  present(certificate: ServerCertificate): void {
    this.#tls = tlsWith(certificate)
    this.#secure?.setSecureContext(this.#tls)
  }

  /**
   * Stops taking connections, lets running requests finish and WebSockets say goodbye, and ends.
   *
   * @param graceMs how long that may take before the connections are cut
   */
  async close(graceMs: number): Promise<void> {
    const sweep = setInterval(() => {
      for (const server of this.#servers) server.closeIdleConnections()
    }, 25)
    const cut = setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections()
      for (const socket of this.#outsideHttp) socket.destroy()
    }, graceMs)
    const closed = this.#servers.map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    )
    try {
      await Promise.all([...closed, this.app.close()])
    } finally {
      clearInterval(sweep)
      clearTimeout(cut)
    }
  }

  /**
   * Whether a request that asks to leave HTTP is let go. Only WebSockets are, and only where a service waits for
   * them: clients that would also speak HTTP/2 (Upgrade: h2c) get a plain answer, as RFC 9110, section 7.8 has it.
   */
  #takesUpgrade(request: http.IncomingMessage): boolean {
    return (
      request.headers.upgrade?.toLowerCase() === 'websocket' &&
      this.app.server.listenerCount('upgrade') > 0 &&
      settleHost(request) === undefined
    )
  }

  /** Has handshakes of certificate authorities looked at before TLS is spoken with clients. */
  #answerAuthorities(secure: https.Server): void {
    const { challenges } = this.#options
    if (challenges === undefined) return
    const clients = secure.listeners('connection')
    const admit = (socket: Socket) => {
      this.#outsideHttp.delete(socket)
      for (const client of clients) client.call(secure, socket)
    }
    const front = challengeFront(challenges, { admit })
    secure.removeAllListeners('connection').on('connection', (socket: Socket) => {
      this.#cutWithServer(socket)
      front.admit(socket)
    })
  }

  /** Ends a connection, of which the servers know nothing, when the listener does. */
  #cutWithServer(socket: Duplex): void {
    this.#outsideHttp.add(socket)
    socket.once('close', () => this.#outsideHttp.delete(socket))
  }

  /** Gives a request its id, which its caller is told, and which stands in all that is logged until it is answered. */
  #serve(request: http.IncomingMessage, response: http.ServerResponse): void {
    const id = requestIdOf(request.headers)
    response.setHeader('X-Request-Id', id)
    withRequestId(id, () => traceRequest(request, response, () => this.#answer(request, response)))
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const proof = this.#options.challenges?.ofRequest(request.url ?? '')
    if (proof !== undefined) {
      response.writeHead(proof.status, proof.headers).end(proof.body)
      return
    }
    const fault = settleHost(request)
    if (fault === undefined) this.app.routing(request, response)
    else this.#end(response, { code: 'bad-request', message: fault })
  }

  #endUnfinished(request: FastifyRequest, reply: FastifyReply): void {
    if (reply.raw.headersSent) {
      request.raw.socket.destroy()
      return
    }
    reply.hijack()
    this.#end(reply.raw, tooSlow)
  }

  /** Answers a request that reaches no route, or not as a whole, and ends its connection. */
  #end(response: http.ServerResponse, refusal: Refusal): void {
    const { status, contentType, text } = this.#describe(refusal, response.req.url)
    response.writeHead(status, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    })
    response.end(text)
  }

  /** @param path tells whose envelope it is; a service's path, or anything else for the root's */
  #describe(refusal: Refusal, path = '/'): { status: number; contentType: string; text: string } {
    const envelope = this.#options.envelopeAt(path)(refusal)
    const { body, contentType = 'application/json', status = statusOfRefusal[refusal.code] } = envelope
    return { status, contentType: `${contentType}; charset=utf-8`, text: JSON.stringify(body) }
  }

  async #open(
    server: http.Server | https.Server,
    host: string,
    port: number,
    named: string,
  ): Promise<number> {
    server.headersTimeout = headTimeoutMs
    server.requestTimeout = requestTimeoutMs
    server.keepAliveTimeout = keepAliveTimeoutMs
    server.on('clientError', (error, socket) => this.#answerUnparsable(error, socket))
    server.on('checkExpectation', (_request: http.IncomingMessage, response: http.ServerResponse) =>
      this.#end(response, { code: 'bad-request', message: 'Nothing but 100-continue can be expected.' }),
    )
    server.on('upgrade', (request: http.IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#cutWithServer(socket)
      withRequestId(requestIdOf(request.headers), () =>
        this.app.server.emit('upgrade', request, socket, head),
      )
    })
    server.listen(port, host)
    try {
      await once(server, 'listening')
    } catch (error) {
      throw new Error(
        `${named} names ${host}, port ${port}, which cannot be opened: ${whyNotListening(error)}`,
      )
    }
    server.on('error', (error) => this.#options.log.error({ err: error }, 'a connection was not accepted'))
    this.#servers.push(server)
    return (server.address() as AddressInfo).port
  }

  /** Bytes that are not HTTP get a reply all the same, in the envelope of the listener's root. */
  #answerUnparsable(error: Error & { code?: string }, socket: Socket | Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const { status, contentType, text } = this.#describe(refusalOfClientError(error))
    socket.end(
      `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nContent-Type: ${contentType}\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    )
    const cut = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(cut))
  }
}

function tlsWith({ cert, key }: ServerCertificate): SecureContextOptions {
  return { cert, key, minVersion: 'TLSv1.2' }
}
