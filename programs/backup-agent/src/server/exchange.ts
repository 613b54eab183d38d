import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Writable } from 'node:stream'
import { currentTraceparent, inSpan } from '@palisade/tracing'
import { addressInUse, leaveAddress, type ServerAddresses } from './addresses.ts'
import { processHeader, type ServerConnection, tlsOptions, versionHeader } from './connection.ts'
import {
  explanationOf,
  explanationSizeMaxBytes,
  isOfUnreachable,
  ReplyBroken,
  RequestRefused,
} from './request-failure.ts'
import { RequestSilence, silenceError } from './silence.ts'

/** A request, with the body given whole or written piece by piece as the network takes it. */
export interface Exchange {
  readonly method: 'GET' | 'POST'
  /** Below the base URL. */
  readonly path: string
  readonly contentType?: string
  readonly body?: Buffer | ((sink: Writable) => Promise<void>)
  /** The size of the largest reply that makes sense; nothing is kept of one that is larger. */
  readonly replyMaxBytes: number
  /** A server that says nothing for this long is not going to; a minute unless given. */
  readonly silenceMaxMs?: number
  readonly signal?: AbortSignal
}

/** Room for a reply of a few short members, or for one that is not looked at. */
export const shortReplyMaxBytes = 64 * 1024

/**
 * Requests to the server over connections that are kept open. Belongs to the thread that made it. Everything is
 * one attempt, at the address in use; one that finds no server there has the agent use the next address. Who calls decides
 * about the next attempt.
 */
export class ServerClient {
  readonly #connection: ServerConnection
  readonly #agent: HttpAgent

  constructor(connection: ServerConnection) {
    this.#connection = connection
    const options = { keepAlive: true, noDelay: true }
    this.#agent = isSecure(connection)
      ? new HttpsAgent({ ...options, ...tlsOptions(connection.trust) })
      : new HttpAgent(options)
  }

  get addresses(): ServerAddresses {
    return this.#connection.addresses
  }

  /**
   * Sends a request and gives the body of the reply.
   *
   * @throws RequestRefused when the status is not 2xx
   * @throws ReplyBroken when the reply ends early or is larger than what was asked for
   */
  exchange(exchange: Exchange): Promise<Buffer> {
    const { method, path } = exchange
    const options = { kind: 'client', attributes: { 'http.request.method': method } } as const
    // The whole path has the ids of tasks and revisions in it.
    return inSpan(`${method} ${path.slice(path.lastIndexOf('/') + 1)}`, options, async () => {
      const url = addressInUse(this.addresses)
      try {
        return await this.#exchange(url, exchange)
      } catch (error) {
        if (isOfUnreachable(error) && !exchange.signal?.aborted) leaveAddress(this.addresses, url)
        throw error
      }
    })
  }

  async #exchange(url: string, exchange: Exchange): Promise<Buffer> {
    const request = this.#open(url, exchange)
    const reply = replyTo(request)
    const sending = send(request, exchange.body)
    sending.catch((error) => request.destroy(error))
    try {
      const response = await reply
      const status = response.statusCode ?? 0
      if (status < 200 || status > 299) {
        throw new RequestRefused(status, explanationOf(await readBeginning(response)))
      }
      const body = await readAll(response, exchange.replyMaxBytes)
      await sending
      return body
    } finally {
      // A server that refuses early leaves a body half sent; the connection is then of no more use.
      if (!request.writableFinished) request.destroy()
    }
  }

  /** Sends a request and reads its reply as JSON. */
  async exchangeJson(exchange: Exchange): Promise<unknown> {
    const body = await this.exchange(exchange)
    try {
      return JSON.parse(body.toString('utf8'))
    } catch (cause) {
      throw new ReplyBroken('the server answered with something that is not JSON', { cause })
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #open(url: string, { method, path, contentType, body, silenceMaxMs, signal }: Exchange): ClientRequest {
    const { credential, requestId } = this.#connection
    const traceparent = currentTraceparent()
    const headers: Record<string, string | number> = { ...versionHeader }
    if (credential === '') Object.assign(headers, processHeader)
    else headers.authorization = `Bearer ${credential}`
    if (requestId !== undefined) headers['x-request-id'] = requestId
    if (traceparent !== undefined) headers.traceparent = traceparent
    if (contentType !== undefined) headers['content-type'] = contentType
    if (Buffer.isBuffer(body)) headers['content-length'] = body.length
    const silence = new RequestSilence(this.addresses, url, silenceMaxMs)
    const open = isSecure(this.#connection) ? httpsRequest : httpRequest
    const request = open(url + path, {
      method,
      headers,
      agent: this.#agent,
      ...(signal === undefined ? {} : { signal }),
    })
    request.on('socket', (socket) => {
      const look = () => {
        if (silence.lastsTooLong(socket)) request.destroy(silenceError())
        else socket.setTimeout(silence.lookMs)
      }
      socket.setTimeout(silence.lookMs).on('timeout', look)
      // Others are sent over the same connection.
      request.on('close', () => socket.off('timeout', look))
    })
    return request
  }
}

/** All addresses of a server are, or none. */
function isSecure({ addresses }: ServerConnection): boolean {
  return addressInUse(addresses).startsWith('https:')
}

function replyTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
  })
}

async function send(request: ClientRequest, body: Exchange['body']): Promise<void> {
  if (typeof body === 'function') await body(request)
  else if (body !== undefined) request.write(body)
  request.end()
}

/** Leaves nothing of the connection when it throws: the server may go on with a body without an end. */
async function readAll(response: IncomingMessage, sizeMaxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  for await (const piece of response) {
    sizeBytes += piece.length
    if (sizeBytes > sizeMaxBytes) {
      throw new ReplyBroken(`the reply is larger than the ${sizeMaxBytes} bytes that were asked for`)
    }
    pieces.push(piece)
  }
  if (!response.complete) throw new ReplyBroken('the reply ended early')
  return Buffer.concat(pieces)
}

/** The beginning of a body that is not the one asked for, up to {@link explanationSizeMaxBytes}. Of a longer one the connection is left. */
export async function readBeginning(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  for await (const piece of response) {
    pieces.push(piece)
    sizeBytes += piece.length
    if (sizeBytes >= explanationSizeMaxBytes) break
  }
  if (sizeBytes < explanationSizeMaxBytes && !response.complete)
    throw new ReplyBroken('the reply ended early')
  return Buffer.concat(pieces).subarray(0, explanationSizeMaxBytes)
}
