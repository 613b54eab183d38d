import { closeSync, openSync, readSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { agentPaths, idSizeBytes, isSet, taskFailures, uploadHeader } from '@palisade/agent-protocol'
import { isAllZero, nameChunk, sealChunk, sealOverheadBytes } from '@palisade/vault'
import { type ChunkRange, chunkLength, rangeLength } from '../chunk-range.ts'
import { describe, TaskFailure } from '../failure.ts'
import { releaseMemory } from '../release-memory.ts'
import { ServerClient } from '../server/exchange.ts'
import { persist } from '../server/persist.ts'
import { isRefusedWith, ReplyBroken } from '../server/request-failure.ts'
import type { SendSpec, WorkerSession } from '../workers/messages.ts'
import { BeginAnew } from './begin-anew.ts'

/** A chunk that was read, with its name. */
interface NamedChunk {
  readonly id: Buffer
  /** In the buffer of its range: valid as long as the range is under way. */
  readonly plaintext: Buffer
}

/** What one range at a time is read and sent with. */
interface Buffers {
  /** All chunks of the range. */
  readonly plaintext: Buffer
  readonly sealed: Buffer
  readonly nextSealed: Buffer
}

/**
 * Sends ranges of chunks: read and name them, ask which of them the server lacks, seal and upload those. What
 * the server has is never compressed nor encrypted.
 */
export class SendSession implements WorkerSession {
  readonly #spec: SendSpec
  readonly #client: ServerClient
  readonly #source: number
  readonly #closing = new AbortController()
  /** Buffers of ranges that are done, for the next ones. */
  readonly #spareBuffers: Buffers[] = []
  #running = 0

  constructor(spec: SendSpec) {
    this.#spec = spec
    this.#client = new ServerClient(spec.connection)
    this.#source = openSource(spec.sourcePath)
  }

  async run(range: ChunkRange): Promise<Uint8Array> {
    this.#running++
    const buffers = this.#takeBuffers(range)
    try {
      const ids = Buffer.alloc((range.to - range.from) * idSizeBytes)
      const chunks = this.#read(range, buffers.plaintext, ids)
      if (chunks.length > 0) await this.#send(chunks, buffers)
      Atomics.add(this.#spec.bytesDone, 0, BigInt(rangeLength(this.#spec.geometry, range)))
      return ids
    } finally {
      this.#spareBuffers.push(buffers)
      this.#running--
      this.#endWhenDone()
    }
  }

  close(): void {
    this.#closing.abort()
    this.#client.close()
    this.#endWhenDone()
  }

  #endWhenDone(): void {
    if (!this.#closing.signal.aborted || this.#running > 0) return
    closeSync(this.#source)
    // The other buffers may still be with a connection that is being closed.
    for (const { plaintext } of this.#spareBuffers) releaseMemory(plaintext)
  }

  #takeBuffers({ from, to }: ChunkRange): Buffers {
    const { chunkSizeBytes } = this.#spec.geometry
    const sizeBytes = (to - from) * chunkSizeBytes
    const spare = this.#spareBuffers.pop()
    if (spare !== undefined && spare.plaintext.length >= sizeBytes) return spare
    const room = () => Buffer.allocUnsafeSlow(chunkSizeBytes + sealOverheadBytes)
    return { plaintext: Buffer.allocUnsafeSlow(sizeBytes), sealed: room(), nextSealed: room() }
  }

  /** Reads a range, puts the ids of its chunks into `ids`, and gives each different chunk that is not zeros. */
  #read({ from, to }: ChunkRange, buffer: Buffer, ids: Buffer): readonly NamedChunk[] {
    const { chunkSizeBytes } = this.#spec.geometry
    const chunks = new Map<string, NamedChunk>()
    for (let index = from; index < to; index++) {
      const start = (index - from) * chunkSizeBytes
      const plaintext = buffer.subarray(start, start + chunkLength(this.#spec.geometry, index))
      this.#readSource(plaintext, index * chunkSizeBytes)
      if (isAllZero(plaintext)) continue
      const id = nameChunk(plaintext, this.#spec.keys.naming)
      ids.set(id, (index - from) * idSizeBytes)
      chunks.set(id.toString('latin1'), { id, plaintext })
    }
    return [...chunks.values()]
  }

  #readSource(target: Buffer, volumeOffsetBytes: number): void {
    const position = this.#spec.sourceOffsetBytes + volumeOffsetBytes
    let done = 0
    while (done < target.length) {
      const size = this.#readSome(target.subarray(done), position + done)
      if (size === 0) throw unreadable(`it ends at byte ${position + done}`)
      done += size
    }
  }

  #readSome(target: Buffer, position: number): number {
    try {
      return readSync(this.#source, target, 0, target.length, position)
    } catch (error) {
      throw unreadable(describe(error))
    }
  }

  async #send(chunks: readonly NamedChunk[], buffers: Buffers): Promise<void> {
    const { signal } = this.#closing
    try {
      await persist(() => this.#sendMissing(chunks, buffers), {
        signal,
        patience: this.#spec.patience,
        meant: [409],
      })
    } catch (error) {
      if (isRefusedWith(error, 409)) throw new BeginAnew('the server no longer knows of this backup')
      throw error
    }
  }

  async #sendMissing(chunks: readonly NamedChunk[], buffers: Buffers): Promise<void> {
    const { backupId } = this.#spec
    const { signal } = this.#closing
    const missing = await this.#client.exchange({
      method: 'POST',
      path: agentPaths.missing(backupId),
      contentType: 'application/octet-stream',
      body: Buffer.concat(chunks.map(({ id }) => id)),
      signal,
    })
    if (missing.length !== Math.ceil(chunks.length / 8)) {
      throw new ReplyBroken('the server answered for another number of chunks')
    }
    const wanted = chunks.filter((_chunk, index) => isSet(missing, index))
    if (wanted.length === 0) return
    await this.#client.exchange({
      method: 'POST',
      path: agentPaths.chunks(backupId),
      contentType: 'application/octet-stream',
      body: (sink) => this.#upload(wanted, buffers, sink),
      signal,
    })
  }

  /** Seals one chunk while the one before is on its way; two buffers take turns. */
  async #upload(chunks: readonly NamedChunk[], buffers: Buffers, sink: Writable): Promise<void> {
    let { sealed: into, nextSealed: nextInto } = buffers
    let before = Promise.resolve()
    for (const { id, plaintext } of chunks) {
      const sealed = sealChunk(id, plaintext, this.#spec.keys, { into })
      await before
      before = written(sink, uploadHeader(id, sealed.length), sealed)
      // Without a handler now, a connection that is lost while the next chunk is sealed would end the thread.
      before.catch(() => {})
      ;[into, nextInto] = [nextInto, into]
    }
    await before
  }
}

/** Resolves when the pieces are handed to the network, and their buffers can be used again. */
function written(sink: Writable, header: Uint8Array, sealed: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.cork()
    sink.write(header)
    sink.write(sealed, (error) => (error ? reject(error) : resolve()))
    sink.uncork()
  })
}

function openSource(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw unreadable(describe(error))
  }
}

function unreadable(why: string): TaskFailure {
  return new TaskFailure(taskFailures.sourceUnreadable, `the source cannot be read: ${why}`)
}
