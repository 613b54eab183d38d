/**
 * The server's side of the agent protocol, kept in memory: real HTTP, real WebSockets, real keys, and ways to
 * make things go wrong. Tests drive the agent with it.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { EventEmitter, on, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  type AgentMessage,
  type DiskComparison,
  type HostAnswer,
  type HostQuestion,
  type Outcome,
  parseAgentMessage,
  type RevisionToRestore,
  type ServerMessage,
  type Task,
} from '@palisade/agent-protocol'
import {
  agentPaths,
  downloadHeader,
  idSizeBytes,
  isSet,
  patchedChunksMax,
  patchedHeader,
  readFrames,
  setBit,
} from '@palisade/agent-protocol/wire'
import { type ChunkKeys, deriveChunkKeys } from '@palisade/vault'
import { type WebSocket, WebSocketServer } from 'ws'
import { type PatchedIds, patchedOf, readCommit, type StoredRevision } from '../revisions/stored-revision.ts'

type StartMessage = Extract<
  ServerMessage,
  { type: 'start-backup' | 'start-restore' | 'start-machine-restore' }
>
type MachineMessage = Extract<StartMessage, { type: 'start-machine-restore' }>

/** What a test may do with a request before the server answers it; true when that was the answer. */
export type Interference = (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | boolean

export const basePath = '/backup'

export class ProtocolServer {
  keys = newChunkKeys()
  readonly marking = randomBytes(32)
  /** The key of its own that the computer's backups are sealed with, as the server knows it. */
  endToEndKeyCheck: string | null = null
  readonly enrolmentKey = 'let-me-in'
  readonly chunks = new Map<string, Buffer>()
  readonly revisions = new Map<number, StoredRevision>()
  readonly messages: AgentMessage[] = []
  /** Tasks that have no outcome yet; sent again with each `hello` that does not name them. */
  readonly unfinished = new Map<string, StartMessage>()
  /** Counts what is asked for, by the first word after the task's id, such as `chunks`. */
  readonly requestCounts = new Map<string, number>()
  /** What chunks have been sent, sealed. */
  uploadedBytes = 0
  chunkSizeBytes = 1024 * 1024
  /** How many chunks of a revision may be patched; undefined for a server that does not say. */
  patchedChunksMax: number | undefined = patchedChunksMax
  interfere: Interference = () => false
  /** Whether outcomes are acknowledged. */
  acknowledges = true
  url = ''
  /** What machines of proofs showed, as it was handed in. */
  readonly screenshots: Buffer[] = []
  readonly #events = new EventEmitter()
  readonly #server: Server
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  readonly #credentials = new Set<string>()
  #link: WebSocket | undefined

  private constructor(certificate?: { cert: string; key: string }) {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response).catch((error) => {
        if (response.headersSent) response.destroy()
        else response.writeHead(500).end(String(error))
      })
    }
    this.#server = certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer)
    this.#server.on('upgrade', (request, socket, head) => {
      if (!this.#isAuthorised(request)) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
        return
      }
      this.#sockets.handleUpgrade(request, socket, head, (link) => this.#takeLink(link))
    })
  }

  /** @param wantedPort any free one when it is left out */
  static async start(certificate?: { cert: string; key: string }, wantedPort = 0): Promise<ProtocolServer> {
    const server = new ProtocolServer(certificate)
    const port = await server.#listen(wantedPort)
    server.url = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}${basePath}`
    return server
  }

  async stop(): Promise<void> {
    this.#link?.terminate()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Listens again at the same address, after {@link stop}. */
  async resume(): Promise<void> {
    await this.#listen(Number(new URL(this.url).port))
  }

  /** Has an empty vault with keys of its own from now on, as a server that was set up anew would. */
  replaceVault(): void {
    this.chunks.clear()
    this.keys = newChunkKeys()
  }

  /** Ends all credentials, as a lost database would. */
  forgetCredentials(): void {
    this.#credentials.clear()
    this.#link?.terminate()
  }

  dropLink(): void {
    this.#link?.terminate()
  }

  /** The other end of the agent's link, for tests that say on it what no message is. */
  get link(): WebSocket {
    if (this.#link === undefined) throw new Error('no agent has connected')
    return this.#link
  }

  say(message: ServerMessage): void {
    this.#link?.send(JSON.stringify(message))
  }

  start(message: StartMessage): void {
    this.unfinished.set(message.id, message)
    this.say(message)
  }

  /** Starts a backup and waits for its revision. */
  async backUp(id: string, source: { path: string; partition?: number }): Promise<number> {
    const outcome = this.outcomeOf(id)
    this.start({ type: 'start-backup', id, source })
    const ended = await outcome
    if (ended.state !== 'SUCCESS' || ended.revisionId === undefined) throw new Error(JSON.stringify(ended))
    return ended.revisionId
  }

  async restore(
    id: string,
    path: string,
    diskFormat: 'Vhd' | 'Vhdx',
    revisionIds: readonly number[],
    fileName = 'disk',
    credentials?: { username: string; password: string },
  ): Promise<Outcome> {
    const outcome = this.outcomeOf(id)
    this.start(this.restoreMessage(id, path, diskFormat, revisionIds, fileName, credentials))
    return outcome
  }

  restoreMessage(
    id: string,
    path: string,
    diskFormat: 'Vhd' | 'Vhdx',
    revisionIds: readonly number[],
    fileName = 'disk',
    credentials?: { username: string; password: string },
  ): StartMessage {
    const revisions = revisionIds.map((revisionId) => this.#toRestore(revisionId, fileName))
    const destination = credentials === undefined ? { path } : { path, credentials }
    return { type: 'start-restore', id, destination, diskFormat, revisions }
  }

  /** A machine restore as VHDX, whose machine has the id of the restore, a UUID. */
  machineMessage(
    id: string,
    path: string,
    revisionIds: readonly number[],
    machine: Partial<MachineMessage['machine']> = {},
  ): MachineMessage {
    const usual = { name: `machine ${id}`, firmware: 'bios', cores: 1, memoryMebibytes: 64 } as const
    return {
      type: 'start-machine-restore',
      id,
      destination: { path },
      diskFormat: 'Vhdx',
      revisions: revisionIds.map((revisionId) => this.#toRestore(revisionId, 'disk')),
      machine: { id, host: {}, ...usual, start: true, ...machine },
    }
  }

  /** Asks the agent about hosts, and waits for the answer. */
  async askHost(question: HostQuestion): Promise<HostAnswer> {
    const id = randomUUID()
    const answer = this.messageOf((message) => message.type === 'host-answer' && message.id === id)
    this.say({ type: 'ask-host', id, question })
    const message = await answer
    if (message.type !== 'host-answer') throw new Error('not an answer')
    return message.answer
  }

  /** Has the agent compare a disk with a revision. @param different what of the revision is said wrongly */
  async compare(
    disk: { readonly path: string; readonly partition?: number },
    revisionId: number,
    different: Partial<RevisionToRestore> = {},
  ): Promise<DiskComparison> {
    const id = randomUUID()
    const answer = this.messageOf((message) => message.type === 'compared' && message.id === id)
    const revision = { ...this.#toRestore(revisionId, 'disk'), ...different }
    this.say({ type: 'compare-disk', id, ...disk, revision })
    const message = await answer
    if (message.type !== 'compared') throw new Error('not an answer')
    return message.comparison
  }

  /** The next outcome of a task. Ask before it can arrive. */
  async outcomeOf(id: string): Promise<Outcome> {
    const finished = await this.messageOf((message) => message.type === 'finished' && message.id === id)
    if (finished.type !== 'finished') throw new Error('not an outcome')
    return finished.outcome
  }

  /** The next message that is as wanted. */
  async messageOf(isWanted: (message: AgentMessage) => boolean): Promise<AgentMessage> {
    for await (const [message] of on(this.#events, 'message')) if (isWanted(message)) return message
    throw new Error('the server ended')
  }

  async #listen(port: number): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    const address: AddressInfo | string | null = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    return address.port
  }

  #toRestore(revisionId: number, fileName: string): RevisionToRestore {
    const { volume, chunkSizeBytes, chunkCount, endToEnd } = this.#revision(revisionId).metadata
    const keyCheck = endToEnd === undefined ? {} : { endToEndKeyCheck: endToEnd.keyCheck }
    return { revisionId, volume, chunkSizeBytes, chunkCount, fileName, ...keyCheck }
  }

  #revision(revisionId: number): StoredRevision {
    const revision = this.revisions.get(revisionId)
    if (revision === undefined) throw new Error(`there is no revision ${revisionId}`)
    return revision
  }

  #isAuthorised(request: IncomingMessage): boolean {
    return this.#credentials.has(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
  }

  #takeLink(link: WebSocket): void {
    this.#link = link
    link.on('error', () => {})
    link.on('message', (data) => {
      const message = parseAgentMessage(data.toString())
      if (message === undefined) throw new Error(`the agent said ${data.toString()}`)
      this.messages.push(message)
      if (message.type === 'hello') this.#sendUnfinished(message.running)
      if (message.type === 'finished') this.#takeOutcome(message.task, message.id)
      this.#events.emit('message', message)
    })
  }

  #sendUnfinished(running: readonly { task: Task; id: string }[]): void {
    const ids = new Set(running.map(({ id }) => id))
    for (const [id, message] of this.unfinished) if (!ids.has(id)) this.say(message)
  }

  #takeOutcome(task: Task, id: string): void {
    if (!this.acknowledges) return
    this.unfinished.delete(id)
    this.say({ type: 'acknowledge', task, id })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost')
    const path = url.pathname.replace(basePath, '')
    const name = path.split('/').at(-1) ?? ''
    this.requestCounts.set(name, (this.requestCounts.get(name) ?? 0) + 1)
    if (await this.interfere(request, response)) return
    if (path === agentPaths.enrol) return this.#enrol(request, response)
    if (!this.#isAuthorised(request)) return void response.writeHead(401).end()
    const [, , , kind, , part, revisionId] = path.split('/')
    if (path === agentPaths.keys) return this.#answerKeys(response)
    if (kind === 'backups' && part === 'missing') return this.#answerMissing(request, response)
    if (kind === 'backups' && part === 'chunks') return this.#takeChunks(request, response)
    if (kind === 'backups' && part === 'commit') return this.#commit(request, response)
    if (part === 'screenshot') return this.#takeScreenshot(request, response)
    if (kind === 'revisions') {
      const { ids } = this.#revision(Number(path.split('/')[4]))
      const at = (name: string) => Number(url.searchParams.get(name)) * idSizeBytes
      return void response.writeHead(200).end(ids.subarray(at('from'), at('to')))
    }
    const revision = this.#revision(Number(revisionId))
    if (name === 'presence') return this.#answerPresence(revision, response)
    return this.#sendChunks(
      revision,
      Number(url.searchParams.get('from')),
      Number(url.searchParams.get('to')),
      response,
    )
  }

  async #enrol(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { enrolmentKey } = JSON.parse((await readAll(request)).toString())
    if (enrolmentKey !== this.enrolmentKey) return void response.writeHead(401).end('wrong key')
    const credential = randomBytes(32).toString('hex')
    this.#credentials.clear()
    this.#credentials.add(credential)
    sendJson(response, { credential, computerName: 'files01' })
  }

  #answerKeys(response: ServerResponse): void {
    sendJson(response, {
      naming: Buffer.from(this.keys.naming).toString('base64'),
      sealing: Buffer.from(this.keys.sealing).toString('base64'),
      marking: this.marking.toString('base64'),
      endToEndKeyCheck: this.endToEndKeyCheck,
      chunkSizeBytes: this.chunkSizeBytes,
      patchedChunksMax: this.patchedChunksMax,
    })
  }

  async #answerMissing(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ids = splitIds(await readAll(request))
    const bitmap = Buffer.alloc(Math.ceil(ids.length / 8))
    for (const [index, id] of ids.entries()) if (!this.chunks.has(id.toString('hex'))) setBit(bitmap, index)
    response.writeHead(200).end(bitmap)
  }

  async #takeChunks(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for await (const { id, sealed } of readFrames(request, 'upload')) {
      this.chunks.set(id.toString('hex'), Buffer.from(sealed))
      this.uploadedBytes += sealed.length
    }
    response.writeHead(204).end()
  }

  async #commit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request)
    let revision: StoredRevision
    try {
      revision = readCommit(body)
    } catch (error) {
      return void response.writeHead(400).end(String(error))
    }
    const revisionId = this.revisions.size + 1
    this.revisions.set(revisionId, revision)
    sendJson(response, { revisionId })
  }

  async #takeScreenshot(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.screenshots.push(await readAll(request))
    response.writeHead(204).end()
  }

  #answerPresence({ ids }: StoredRevision, response: ServerResponse): void {
    response.writeHead(200).end(presenceOf(ids))
  }

  async #sendChunks(
    revision: StoredRevision,
    from: number,
    to: number,
    response: ServerResponse,
  ): Promise<void> {
    const presence = presenceOf(revision.ids)
    const patched = new Map(patchedOf(revision).map((chunk) => [chunk.position, chunk]))
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    for (let index = from; index < to; index++) {
      if (!isSet(presence, index)) continue
      const id = revision.ids.subarray(index * idSizeBytes, (index + 1) * idSizeBytes)
      const patch = patched.get(index)
      const sealed = patch === undefined ? this.#sealed(id) : this.#sealedPatched(patch)
      response.write(downloadHeader(index, id, sealed.length))
      const goesOn = response.write(sealed)
      if (!goesOn) await writable(response)
      if (response.destroyed) return
    }
    response.end()
  }

  /** Nothing when it is not stored. */
  #sealed(id: Buffer): Buffer {
    return this.chunks.get(id.toString('hex')) ?? Buffer.alloc(0)
  }

  #sealedPatched({ base, patch }: PatchedIds): Buffer {
    const sealedBase = this.#sealed(base)
    return Buffer.concat([patchedHeader(base, patch, sealedBase.length), sealedBase, this.#sealed(patch)])
  }
}

export function presenceOf(ids: Buffer): Buffer {
  const each = splitIds(ids)
  const bitmap = Buffer.alloc(Math.ceil(each.length / 8))
  for (const [index, id] of each.entries()) if (id.some((byte) => byte !== 0)) setBit(bitmap, index)
  return bitmap
}

function splitIds(bytes: Buffer): Buffer[] {
  const ids: Buffer[] = []
  for (let at = 0; at < bytes.length; at += idSizeBytes) ids.push(bytes.subarray(at, at + idSizeBytes))
  return ids
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(request))
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Resolves when there is room again, or nobody to send to. */
async function writable(response: ServerResponse): Promise<void> {
  const settled = new AbortController()
  const { signal } = settled
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    settled.abort()
  }
}

function newChunkKeys(): ChunkKeys {
  return deriveChunkKeys(randomBytes(32), 'acme/0001')
}
