import { X509Certificate } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { backupErrors, type CallActive, relayedHeader, type StandbyUploads } from '@palisade/backup'
import { currentRequestId } from '@palisade/log'
import {
  type ErrorEnvelope,
  type HttpService,
  type Log,
  problemDetails,
  type Refusal,
  statusOfRefusal,
} from '@palisade/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createProxyServer } from 'httpxy'
import type { ActiveServer } from './active-server.ts'

/** The other server takes no request for longer. */
const answerMaxMs = 310_000
const upgradeMaxMs = 15_000
/** The active server looks up a credential or reads the table of a pack, from a storage that may be slow. */
const callMaxMs = 30_000

const away: Refusal = {
  code: 'unavailable',
  message: 'The server that has the backups is away; another one takes its place within a minute.',
  headers: { 'retry-after': '2' },
}

/** What of a server is answered by the one that has the backups, while that is another one. */
interface RelayedPart {
  readonly name: string
  readonly basePath: string
  readonly envelope: ErrorEnvelope
}

/** A server that requests are passed on to, with the connections to it. */
interface Target extends ActiveServer {
  readonly agent: http.Agent
}

/**
 * Passes requests and WebSockets on to the server that has the backups: as they are, but for the client's address, which is added to
 * `X-Forwarded-For`. Chunks it stores itself where that is possible ({@link StandbyUploads}).
 */
export class BackupRelay {
  readonly #log: Log
  readonly #parts: readonly RelayedPart[]
  readonly #basePath: string
  readonly #uploads: StandbyUploads
  readonly #proxy = createProxyServer()
  /** WebSockets that are passed on. */
  readonly #upgraded = new Set<Duplex>()
  #target: Target | undefined

  /** @param basePath of the backup service */
  constructor({
    basePath,
    uploads,
    log,
  }: {
    readonly basePath: string
    readonly uploads: StandbyUploads
    readonly log: Log
  }) {
    this.#log = log
    this.#basePath = basePath
    this.#uploads = uploads
    this.#parts = [
      { name: 'backup', basePath, envelope: backupErrors },
      { name: 'backup-document', basePath: '/openapi/backup.json', envelope: problemDetails },
      { name: 'backup-administration', basePath: '/admin/v1/backup', envelope: problemDetails },
    ]
  }

  /** Passes on to this server from now on; what is under way to another one is cut off, since that has gone. */
  use(server: ActiveServer | undefined): void {
    const { id, certificate, takesPacks } = server ?? {}
    const former = this.#target
    if (id === former?.id && certificate === former?.certificate && takesPacks === former?.takesPacks) return
    this.close()
    if (server === undefined) return
    const target = { ...server, agent: agentFor(server) }
    this.#target = target
    if (takesPacks) this.#uploads.use(callsTo(target, this.#basePath))
    const chunks = takesPacks ? 'but for chunks, which are stored here' : 'chunks among them'
    this.#log.info({ address: server.address }, `requests for backups are passed on, ${chunks}`)
  }

  /** Has told the active server of the chunks that were stored here, and cuts off all that is passed on. */
  async finish(): Promise<void> {
    await this.#uploads.finish()
    this.close()
  }

  /** Cuts off all that is passed on. */
  close(): void {
    this.#uploads.use(undefined)
    this.#target?.agent.destroy()
    this.#target = undefined
    for (const socket of this.#upgraded) socket.destroy()
  }

  /** What is mounted in the place of the backup service and of what is administered of it. */
  get services(): readonly HttpService[] {
    return this.#parts.map((part) => ({
      ...part,
      title: 'Palisade backup, at another server',
      routes: async (scope: FastifyInstance) => {
        const pass = async (request: FastifyRequest, reply: FastifyReply) => {
          reply.hijack()
          await this.#pass(request.raw, reply.raw, part)
        }
        if (part.name === 'backup') await scope.register(this.#uploads.routes(pass))
        await scope.register(async (rest) => {
          rest.addHook('onRequest', pass)
          for (const url of ['/', '/*']) rest.all(url, () => undefined)
        })
        if (part.name === 'backup') {
          scope.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
            this.#passUpgrade(request, socket, head),
          )
        }
      },
    }))
  }

  async #pass(request: IncomingMessage, response: ServerResponse, { envelope }: RelayedPart): Promise<void> {
    const options = this.#optionsFor(request)
    try {
      if (options === undefined) throw new Error('nobody is known to have the backups')
      await this.#proxy.web(request, response, options)
    } catch (err) {
      this.#log.debug({ err }, 'a request could not be passed on')
      if (response.headersSent) response.destroy()
      else refuse(response, envelope)
    }
  }

  #passUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Also of one that is refused: its client may reset it before it has read that.
    socket.on('error', () => socket.destroy())
    const options = this.#optionsFor(request)
    if (options === undefined) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\n\r\n')
      return
    }
    this.#upgraded.add(socket)
    socket.once('close', () => this.#upgraded.delete(socket))
    // Every socket of a listener is one of TCP or TLS.
    this.#proxy.ws(request, socket as Socket, options, head).catch((err: unknown) => {
      this.#log.debug({ err }, 'a link could not be passed on')
      socket.destroy()
    })
  }

  /** How a request gets there; undefined when there is nobody, or it comes from another server already. */
  #optionsFor(request: IncomingMessage) {
    const target = this.#target
    if (target === undefined || request.headers[relayedHeader] !== undefined) return undefined
    const { address, agent } = target
    const id = currentRequestId()
    const forwarded = [request.headers['x-forwarded-for'] ?? [], request.socket.remoteAddress ?? []].flat()
    return {
      target: address,
      agent,
      proxyTimeout: answerMaxMs,
      upgradeTimeout: upgradeMaxMs,
      headers: {
        [relayedHeader]: '1',
        'x-forwarded-for': forwarded.join(', '),
        ...(id === undefined ? {} : { 'x-request-id': id }),
      },
    }
  }
}

/** Over HTTPS it believes the very certificate that the server has said it presents, whatever names stand in it. */
function agentFor({ address, certificate }: ActiveServer): http.Agent {
  if (!address.startsWith('https:')) return new http.Agent({ keepAlive: true })
  return new https.Agent({
    keepAlive: true,
    ...(certificate === null ? {} : { ca: new X509Certificate(certificate).toString() }),
    allowPartialTrustChain: true,
    checkServerIdentity: () => undefined,
  })
}

/** Calls of this server itself. What has become another server's turn meanwhile is not passed on to that. */
function callsTo({ address, agent }: Target, basePath: string): CallActive {
  const { request } = address.startsWith('https:') ? https : http
  return (path, headers) =>
    new Promise((resolve, reject) => {
      const sent = request(`${address}${basePath}${path}`, {
        method: 'POST',
        agent,
        headers: { ...headers, [relayedHeader]: '1', 'content-length': '0' },
        timeout: callMaxMs,
      })
      sent.on('timeout', () => sent.destroy(new Error('the active server does not answer')))
      sent.on('error', reject)
      sent.on('response', (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
      })
      sent.end()
    })
}

function refuse(response: ServerResponse, envelope: ErrorEnvelope): void {
  const { body, contentType = 'application/json', status = statusOfRefusal[away.code] } = envelope(away)
  const text = JSON.stringify(body)
  response.writeHead(status, {
    ...away.headers,
    connection: 'close',
    'content-type': `${contentType}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
