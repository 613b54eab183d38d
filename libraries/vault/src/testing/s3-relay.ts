/**
 * A relay before a server of the S3 protocol that delays requests, fails some, is away for a while, and lies: hides objects, and
 * acknowledges what it does not store. The `Host` of a request goes through unchanged, so that its signature holds.
 */
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

/** What the relay does to requests; nothing where a member is left out. */
export interface Disturbance {
  /** Each request waits so long before it goes on. */
  readonly delayMs?: number
  /** One in so many requests fails, by turns: 503, 500, cut before it is served, cut in the middle of its reply. */
  readonly failEvery?: number
  /** `refusing` ends connections at once, `silent` takes requests and never answers. */
  readonly away?: 'refusing' | 'silent'
  /** Objects whose names match are missing: in replies to GET and HEAD, in listings, or in both. */
  readonly hidden?: { readonly names: string; readonly from: 'reading' | 'listing' | 'both' }
  /** What is stored under names that match is acknowledged and thrown away. */
  readonly unstored?: string
  /** Requests are refused in the storage's own words: all of them, or those with one of these methods. */
  readonly refusal?: { readonly status: number; readonly code: string; readonly methods?: readonly string[] }
}

export interface S3Relay {
  readonly port: number
  /** From now on; what is on its way already is not concerned. */
  disturb(disturbance: Disturbance): void
  /** How many requests came, and how many of them were made to fail, so far. */
  readonly requests: number
  readonly failures: number
  close(): Promise<void>
}

/**
 * @param targetPort of the server, on this machine
 * @param host an address of this machine where it listens
 */
export async function startS3Relay(targetPort: number, host = '127.0.0.1'): Promise<S3Relay> {
  let disturbance: Disturbance = {}
  let requests = 0
  let failures = 0
  const agent = new Agent({ keepAlive: true })
  const sockets = new Set<Socket>()
  const http = createServer((incoming, response) => {
    requests++
    const { failEvery } = disturbance
    const failure = failEvery !== undefined && requests % failEvery === 0 ? failures++ % 4 : undefined
    serve(incoming, response, { ...disturbance, failure }).catch(() => incoming.socket.destroy())
  })
  http.on('connection', (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    if (disturbance.away === 'refusing') socket.destroy()
  })
  http.listen(0, host)
  await once(http, 'listening')
  const address = http.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port,
    disturb: (wished) => {
      disturbance = wished
      if (wished.away === 'refusing') for (const socket of sockets) socket.destroy()
    },
    get requests() {
      return requests
    },
    get failures() {
      return failures
    },
    close: async () => {
      http.close()
      for (const socket of sockets) socket.destroy()
      agent.destroy()
    },
  }

  async function serve(
    incoming: IncomingMessage,
    response: ServerResponse,
    fate: Disturbance & { readonly failure: number | undefined },
  ): Promise<void> {
    if (fate.away === 'silent') return
    if (fate.away === 'refusing') return void incoming.socket.destroy()
    if (fate.delayMs) await setTimeout(fate.delayMs)
    if (fate.failure === 2) return void incoming.socket.destroy()
    if (fate.failure === 0) return answer(incoming, response, 503, 'SlowDown')
    if (fate.failure === 1) return answer(incoming, response, 500, 'InternalError')
    const { refusal } = fate
    if (refusal && (refusal.methods?.includes(incoming.method ?? '') ?? true)) {
      return answer(incoming, response, refusal.status, refusal.code)
    }
    if (isHidden(incoming, fate)) return answer(incoming, response, 404, 'NoSuchKey')
    if (isUnstored(incoming, fate)) return acknowledge(incoming, response)
    const { method, url, headers } = incoming
    const outgoing = request({ host: '127.0.0.1', port: targetPort, method, path: url, headers, agent })
    outgoing.once('error', () => incoming.socket.destroy())
    response.once('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
    const [reply]: IncomingMessage[] = await once(outgoing, 'response')
    if (reply === undefined) return
    const hiddenNames = fate.hidden?.from === 'reading' ? undefined : fate.hidden?.names
    if (hiddenNames !== undefined && isListing(incoming)) {
      const listing = withoutNames(await text(reply), new RegExp(hiddenNames))
      response.writeHead(reply.statusCode ?? 500, { 'content-type': 'application/xml' })
      response.end(listing)
      return
    }
    response.writeHead(reply.statusCode ?? 500, reply.headers)
    if (fate.failure === 3) return breakOff(reply, response)
    reply.once('error', () => response.destroy())
    reply.pipe(response)
  }
}

async function breakOff(reply: IncomingMessage, response: ServerResponse): Promise<void> {
  response.flushHeaders()
  for await (const piece of reply) {
    response.write(piece.subarray(0, piece.length >> 1), () => response.destroy())
    return
  }
  response.destroy()
}

function answer(incoming: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  incoming.resume()
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(incoming.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code></Error>`)
}

/** As a server does that has stored what was sent, or put its parts together. */
async function acknowledge(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  incoming.resume()
  await once(incoming, 'end')
  response.writeHead(200, { 'content-type': 'application/xml', etag: '"acknowledged"' })
  response.end(
    incoming.method === 'POST'
      ? '<CompleteMultipartUploadResult><ETag>"acknowledged"</ETag></CompleteMultipartUploadResult>'
      : undefined,
  )
}

function nameOf({ url = '' }: IncomingMessage): string {
  return decodeURIComponent(new URL(url, 'http://storage').pathname)
}

function isListing({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && /[?&]list-type=2/.test(url)
}

function isHidden(incoming: IncomingMessage, { hidden }: Disturbance): boolean {
  const isReading = incoming.method === 'HEAD' || (incoming.method === 'GET' && !isListing(incoming))
  return (
    hidden !== undefined &&
    hidden.from !== 'listing' &&
    isReading &&
    new RegExp(hidden.names).test(nameOf(incoming))
  )
}

/** Parts are stored: only what they would have become is not. */
function isUnstored(incoming: IncomingMessage, { unstored }: Disturbance): boolean {
  const { method, url = '' } = incoming
  const isLastRequest =
    method === 'POST' ? /[?&]uploadId=/.test(url) : method === 'PUT' && !/uploadId=/.test(url)
  return unstored !== undefined && isLastRequest && new RegExp(unstored).test(nameOf(incoming))
}

function withoutNames(listing: string, names: RegExp): string {
  return listing.replace(/<Contents>.*?<\/Contents>/gs, (entry) =>
    names.test(/<Key>(.*?)<\/Key>/s.exec(entry)?.[1] ?? '') ? '' : entry,
  )
}
