import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import type { ByteSource, Extent } from '@palisade/virtual-disk'
import { ByteReader } from './byte-reader.ts'
import { type NbdAgreement, negotiate } from './nbd-negotiation.ts'
import { commands, errors, oneExtentFlag, readSizeBytesMax, requestMagic } from './nbd-protocol.ts'
import { allocationReply, dataReply, emptyReply, errorReply, holeReply, simpleReply } from './nbd-replies.ts'

/** A disk that others may read. Reads may run side by side. */
export interface ExportedDisk extends ByteSource {
  /** What the parts of a range are, in order and without gaps; parts that touch may be of one kind. */
  extents(range: Extent): Iterable<Extent & { readonly isZero: boolean }>
}

/** While so many requests of a client are under way, no more are taken: it bounds the memory. */
const requestsMax = 16
const requestSizeBytes = 28
/** How many extents one reply holds at most; a client that wants to know more asks again. */
const extentsMax = 4096

type Agreement = NbdAgreement<ExportedDisk>

interface Request {
  readonly flags: number
  readonly command: number
  readonly cookie: bigint
  readonly offsetBytes: number
  readonly sizeBytes: number
}

/**
 * Lets programs of this computer read disks over a local socket, each under its name. Whoever may open the socket may
 * read: it belongs in a folder of its owner's.
 */
export class NbdServer {
  readonly #server: Server
  readonly #exports: ReadonlyMap<string, ExportedDisk>
  readonly #onError: (error: unknown) => void
  readonly #sockets = new Set<Socket>()

  private constructor(exports: ReadonlyMap<string, ExportedDisk>, onError: (error: unknown) => void) {
    this.#exports = exports
    this.#onError = onError
    this.#server = createServer((socket) => this.#serve(socket))
  }

  /**
   * @param socketPath at most 107 bytes; a socket that an ended server left there is replaced
   * @param onError is told why a read failed; its client only hears that it did
   * @throws the system's error when it cannot listen there
   */
  static async listen(
    socketPath: string,
    exports: ReadonlyMap<string, ExportedDisk>,
    onError: (error: unknown) => void = () => {},
  ): Promise<NbdServer> {
    const server = new NbdServer(exports, onError)
    await rm(socketPath, { force: true })
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject)
      server.#server.listen(socketPath, resolve)
    })
    return server
  }

  /** How many programs are connected. */
  get clientCount(): number {
    return this.#sockets.size
  }

  /** Ends all connections, and listens no more. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    // A client that is gone is no failure of ours.
    socket.on('error', () => {})
    this.#converse(socket)
      .catch(() => {})
      .finally(() => socket.end())
  }

  async #converse(socket: Socket): Promise<void> {
    const reader = new ByteReader(socket)
    const agreement = await negotiate(reader, (bytes) => socket.write(bytes), this.#exports)
    if (agreement === undefined) return
    const running = new Set<Promise<void>>()
    for (;;) {
      const request = await nextRequest(reader)
      if (request === undefined || request.command === commands.disconnect) break
      const answering = this.#answer(request, agreement, socket).finally(() => running.delete(answering))
      running.add(answering)
      if (running.size >= requestsMax) await Promise.race(running)
      if (socket.writableNeedDrain) await drained(socket)
    }
    await Promise.all(running)
  }

  async #answer(request: Request, agreement: Agreement, socket: Socket): Promise<void> {
    const pieces = await this.#replyTo(request, agreement)
    socket.cork()
    for (const piece of pieces) socket.write(piece)
    socket.uncork()
  }

  async #replyTo(request: Request, agreement: Agreement): Promise<readonly Buffer[]> {
    const { cookie, command, offsetBytes, sizeBytes } = request
    const { disk, repliesStructured, tellsAllocation } = agreement
    const refuse = (error: number) =>
      repliesStructured ? errorReply(cookie, error) : simpleReply(cookie, error)
    if (command === commands.flush) return repliesStructured ? emptyReply(cookie) : simpleReply(cookie, 0)
    const isKnown = command === commands.read || (command === commands.blockStatus && tellsAllocation)
    // Writing, trimming and the like: the export is read only.
    if (!isKnown) return refuse(errors.notPermitted)
    const isWithin = sizeBytes > 0 && offsetBytes + sizeBytes <= disk.sizeBytes
    if (!isWithin || (command === commands.read && sizeBytes > readSizeBytesMax))
      return refuse(errors.invalid)
    if (command === commands.blockStatus) return allocationReply(cookie, extentsFor(request, disk))
    try {
      return await readFor(request, agreement)
    } catch (error) {
      this.#onError(error)
      return refuse(errors.io)
    }
  }
}

async function readFor(
  { cookie, offsetBytes, sizeBytes }: Request,
  { disk, repliesStructured }: Agreement,
): Promise<readonly Buffer[]> {
  if (repliesStructured) {
    const [first] = disk.extents({ offsetBytes, sizeBytes })
    if (first?.isZero === true && first.sizeBytes >= sizeBytes)
      return holeReply(cookie, offsetBytes, sizeBytes)
  }
  const data = Buffer.allocUnsafe(sizeBytes)
  await disk.read(data, offsetBytes)
  return repliesStructured ? dataReply(cookie, offsetBytes, data) : simpleReply(cookie, 0, data)
}

function extentsFor({ flags, offsetBytes, sizeBytes }: Request, disk: ExportedDisk) {
  const max = (flags & oneExtentFlag) === 0 ? extentsMax : 1
  const described: { sizeBytes: number; isZero: boolean }[] = []
  for (const extent of disk.extents({ offsetBytes, sizeBytes })) {
    const last = described.at(-1)
    if (last?.isZero === extent.isZero) last.sizeBytes += extent.sizeBytes
    else if (described.length === max) break
    else described.push({ sizeBytes: extent.sizeBytes, isZero: extent.isZero })
  }
  return described
}

/** Undefined when the client is gone or breaks the protocol. */
async function nextRequest(reader: ByteReader): Promise<Request | undefined> {
  const head = await reader.take(requestSizeBytes)
  if (head === undefined || head.readUInt32BE() !== requestMagic) return undefined
  const request = {
    flags: head.readUInt16BE(4),
    command: head.readUInt16BE(6),
    cookie: head.readBigUInt64BE(8),
    offsetBytes: Number(head.readBigUInt64BE(16)),
    sizeBytes: head.readUInt32BE(24),
  }
  if (request.command !== commands.write) return request
  // What a write carries is in the way of the next request; the write itself is refused.
  const isTaken =
    request.sizeBytes <= readSizeBytesMax && (await reader.take(request.sizeBytes)) !== undefined
  return isTaken ? request : undefined
}

/** Resolves when there is room again, or nobody to send to. */
async function drained(socket: Socket): Promise<void> {
  if (socket.destroyed) return
  const settled = new AbortController()
  const { signal } = settled
  const either = Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })])
  await either.catch(() => {})
  settled.abort()
}
