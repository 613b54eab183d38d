import http, { type IncomingMessage, ServerResponse } from 'node:http'
import http2, { type ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ClientRequest, type ClientResponse, hasBody } from '../exchange/client-message.ts'
import type { Upgrade } from '../exchange/exchange.ts'
import { isWebSocketKey } from '../traffic/websocket-handshake.ts'
import { CountedHttp1Request, CountedHttp2Request } from './counted-requests.ts'
import { readRequests } from './http1/read-requests.ts'
import { restoreMethod } from './http1/request-line.ts'
import type { RequestReader } from './http1/request-reader.ts'

/** Larger request lines and headers are refused. */
const headersSizeMax = 64 * 1024

/** Requests of one HTTP/2 connection that may be under way at once. */
const streamsMax = 100

/** Told what comes over the connections that a front was given. */
export interface HttpEvents {
  onRequest(request: ClientRequest, response: ClientResponse, upgrade?: Upgrade): void
  /** A connection on which something came that is no HTTP. */
  onError(error: Error & { readonly code?: string }, stream: Duplex): void
  /** A connection of HTTP/1 that is asked to be a way to somewhere else. */
  onConnect(socket: Duplex): void
  onSession(session: ServerHttp2Session): void
  /** Whether a request may turn its connection into a WebSocket. @param socket the client's */
  allowsWebSockets(socket: Socket): boolean
}

/** Speaks HTTP/1 and HTTP/2 on connections that others have accepted, with or without TLS. */
export class HttpFront {
  readonly #http1: http.Server<typeof CountedHttp1Request>
  readonly #http2: http2.Http2Server
  readonly #events: HttpEvents
  readonly #readers = new WeakMap<Duplex, RequestReader>()
  /** Of which the parser of HTTP/1 has just told. */
  #toldRequest: IncomingMessage | undefined

  constructor(events: HttpEvents) {
    this.#events = events
    const handle = (request: ClientRequest, response: ClientResponse) => events.onRequest(request, response)
    const handleHttp1 = (request: IncomingMessage, response: ServerResponse) => {
      restoreMethod(request)
      this.#toldRequest = request
      events.onRequest(request, response)
    }
    this.#http1 = http
      .createServer({
        IncomingMessage: CountedHttp1Request,
        maxHeaderSize: headersSizeMax,
        headersTimeout: 0,
        requestTimeout: 0,
        // Refused where that is logged.
        requireHostHeader: false,
        // Of a request without a body nobody reads anything.
        optimizeEmptyRequests: true,
        shouldUpgradeCallback: (request) =>
          asksForWebSocket(request) && events.allowsWebSockets(request.socket),
      })
      .on('request', handleHttp1)
      .on('checkContinue', handleHttp1)
      .on('checkExpectation', handleHttp1)
      .on('connect', (_, socket) => {
        this.#readers.get(socket)?.giveAway()
        socket.on('error', () => socket.destroy())
        events.onConnect(socket)
      })
      .on('upgrade', (request, socket, head) => {
        this.#readers.get(socket)?.giveAway()
        this.#upgrade(request, socket, head)
      })
      // Node answers it, and whatever else might come.
      .on('dropRequest', (_, socket) => this.#readers.get(socket)?.refuse())
      .on('clientError', (error, stream) => {
        this.#readers.get(stream)?.refuse()
        events.onError(error, stream)
      })
    this.#http2 = http2
      .createServer({
        Http2ServerRequest: CountedHttp2Request,
        settings: { maxConcurrentStreams: streamsMax, maxHeaderListSize: headersSizeMax },
        maxSessionMemory: 16,
        // Servers that say a header twice are passed on as over HTTP/1.
        strictSingleValueFields: false,
      })
      .on('request', handle)
      .on('checkContinue', handle)
      .on('checkExpectation', handle)
      .on('connect', handle)
      .on('session', (session) => events.onSession(session))
      // What a session does wrong ends it; there is nobody else to be told.
      .on('sessionError', () => undefined)
  }

  /** @param keepAliveMs how long a connection may be unused. @param requestsMax over one connection; 0 for any number */
  limit(keepAliveMs: number, requestsMax: number): void {
    this.#http1.keepAliveTimeout = keepAliveMs
    this.#http1.maxRequestsPerSocket = requestsMax
  }

  /** @param protocol what was agreed on: "h2", or anything else for HTTP/1 */
  admit(connection: Duplex, protocol: string | false | null): void {
    if (protocol !== 'h2') {
      this.#http1.emit('connection', connection)
      this.#readers.set(
        connection,
        readRequests(connection, () => this.#takeRequest()),
      )
      return
    }
    // Who says nothing more may wait for an answer over HTTP/1; over HTTP/2 it could take no further byte of one.
    connection.once('end', () => connection.destroy())
    this.#http2.emit('connection', connection)
  }

  #takeRequest(): IncomingMessage | undefined {
    const request = this.#toldRequest
    this.#toldRequest = undefined
    return request
  }

  /** The parser lets go of a connection that may become a WebSocket, so its answer is ours to look after. */
  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    try {
      response.assignSocket(request.socket)
    } catch {
      // Node is still sending an answer of its own, to a request before this one.
      socket.destroy()
      return
    }
    response.once('finish', () => request.socket.destroySoon())
    socket.on('drain', () => response.emit('drain'))
    socket.on('error', () => socket.destroy())
    this.#events.onRequest(request, response, { socket, head })
  }
}

/** A body would never be judged: the parser ends with the head. Without one key nobody could tell whether the server agrees. */
function asksForWebSocket(request: IncomingMessage): boolean {
  const { method, headers, httpVersion } = request
  if (method !== 'GET' || httpVersion !== '1.1') return false
  if (hasBody(request) && headers['content-length'] !== '0') return false
  const isWebSocket = headers.upgrade?.trim().toLowerCase() === 'websocket'
  return isWebSocket && isWebSocketKey(headers['sec-websocket-key'])
}
