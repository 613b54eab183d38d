import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'
import { sendRefusal } from './mount-service.ts'
import { type ErrorEnvelope, type Refusal, statusOfRefusal } from './refusal.ts'
import { refusalOfError } from './refusal-of-error.ts'

export interface ListenerOptions {
  readonly log: Log
  /** The envelope of whatever serves this path; also for requests that never reach a route. */
  readonly envelopeAt: (path: string) => ErrorEnvelope
  /** Addresses and networks whose X-Forwarded-For is believed; nobody's when empty. */
  readonly trustedProxies?: readonly string[]
  /** The largest body that a route takes unless it says otherwise, in bytes. */
  readonly bodySizeMax?: number
}

/** Where a listener listens. Port 0 lets the system choose. */
export interface ListenAddresses {
  readonly host: string
  readonly http: number
  readonly https: number
}

const mebibyte = 1024 * 1024

/** How long a client may take to send one whole request, and how long an idle connection is kept. */
const requestTimeoutMs = 300_000
const keepAliveTimeoutMs = 72_000

/**
 * One application behind two doors, HTTP and HTTPS.
 */
export class Listener {
  readonly app: FastifyInstance
  readonly #servers: (http.Server | https.Server)[] = []
  readonly #options: ListenerOptions

  constructor(options: ListenerOptions) {
    this.#options = options
    this.app = Fastify({
      loggerInstance: options.log as FastifyBaseLogger,
      disableRequestLogging: true,
      bodyLimit: options.bodySizeMax ?? mebibyte,
      trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
      exposeHeadRoutes: false,
      routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 2048 },
      frameworkErrors: (error, request, reply) =>
        sendRefusal(reply, refusalOfError(error), options.envelopeAt(request.url)),
    })
  }

  /**
   * Opens both doors.
   *
   * @param certificate the certificate chain and its private key, PEM
   * @returns the ports that were opened
   */
  async listen(
    { host, http: httpPort, https: httpsPort }: ListenAddresses,
    certificate: { cert: string; key: string },
  ): Promise<{ http: number; https: number }> {
    await this.app.ready()
    const plain = http.createServer(this.app.routing)
    const secure = https.createServer({ ...certificate, minVersion: 'TLSv1.2' }, this.app.routing)
    return { http: await this.#open(plain, host, httpPort), https: await this.#open(secure, host, httpsPort) }
  }

  /**
   * Stops taking connections, lets running requests finish and ends.
   *
   * @param graceMs how long requests may take to finish before their connections are cut
   */
  async close(graceMs: number): Promise<void> {
    const sweep = setInterval(() => {
      for (const server of this.#servers) server.closeIdleConnections()
    }, 25)
    const cut = setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections()
    }, graceMs)
    await Promise.all(
      this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    )
    clearInterval(sweep)
    clearTimeout(cut)
    await this.app.close()
  }

  async #open(server: http.Server | https.Server, host: string, port: number): Promise<number> {
    server.requestTimeout = requestTimeoutMs
    server.keepAliveTimeout = keepAliveTimeoutMs
    server.on('clientError', (error, socket) => this.#answerUnparsable(error, socket))
    server.on('upgrade', (request: http.IncomingMessage, socket: Duplex, head: Buffer) => {
      if (!this.app.server.emit('upgrade', request, socket, head)) socket.destroy()
    })
    server.listen(port, host)
    await Promise.race([
      once(server, 'listening'),
      once(server, 'error').then(([error]) => {
        throw new Error(`${host}:${port} cannot be opened for listening`, { cause: error })
      }),
    ])
    this.#servers.push(server)
    return (server.address() as AddressInfo).port
  }

  /** Bytes that are not HTTP get a reply all the same, in the envelope of the listener's root. */
  #answerUnparsable(error: Error & { code?: string }, socket: Socket | Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const refusal: Refusal =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? { code: 'headers-too-large', message: 'The request line and headers are too long.' }
        : { code: 'bad-request', message: 'The request is not valid HTTP.' }
    const { body, contentType = 'application/json', status } = this.#options.envelopeAt('/')(refusal)
    const code = status ?? statusOfRefusal[refusal.code]
    const text = JSON.stringify(body)
    socket.end(
      `HTTP/1.1 ${code} ${http.STATUS_CODES[code]}\r\nContent-Type: ${contentType}; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    )
  }
}
