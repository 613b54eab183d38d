import type { Writable } from 'node:stream'
import { agentPaths, idSizeBytes, isSet, taskFailures, uploadHeader } from '@palisade/agent-protocol/wire'
import {
  alignedLength,
  DirectFile,
  isAllZero,
  nameChunk,
  sealChunk,
  sealOverheadBytes,
} from '@palisade/vault/chunks'
import { type ChunkRange, chunkLength, rangeLength } from '../chunk-range.ts'
import type { AlignedBuffers } from '../direct-io/aligned-buffers.ts'
import { describe, TaskFailure } from '../failure.ts'
import { ServerClient } from '../server/exchange.ts'
import { askMissing } from '../server/missing.ts'
import { persist } from '../server/persist.ts'
import { isRefusedWith } from '../server/request-failure.ts'
import { written } from '../server/written.ts'
import type { JobRange, SendSpec, WorkerSession } from '../workers/messages.ts'
import { takeBandwidth } from './bandwidth.ts'
import { BeginAnew } from './begin-anew.ts'
import { jobSizeMaxBytes } from './ranges.ts'
import { readUsed } from './read-used.ts'

const limitedPieceSizeBytes = 16 * 1024

/** A chunk that was read, with its name. */
interface NamedChunk {
  readonly id: Buffer
  /** In the buffer of its range: valid as long as the range is under way. */
  readonly plaintext: Buffer
}

/** What one job at a time is read and sent with. */
interface Buffers {
  /** All chunks of a job, each of its parts from an aligned place on. */
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
  readonly #buffers: AlignedBuffers
  readonly #client: ServerClient
  readonly #source: Promise<DirectFile>
  readonly #closing = new AbortController()
  #running = 0

  constructor(spec: SendSpec, buffers: AlignedBuffers) {
    this.#spec = spec
    this.#buffers = buffers
    this.#client = new ServerClient(spec.connection)
    this.#source = DirectFile.open(spec.sourcePath, 'read')
    // Jobs tell why it cannot be opened.
    this.#source.catch(() => {})
  }

  async run(job: JobRange): Promise<Uint8Array> {
    const { geometry, bytesDone } = this.#spec
    const sealedSizeMaxBytes = geometry.chunkSizeBytes + sealOverheadBytes
    const buffers = {
      // Jobs differ in length: buffers that fit just one of them would add up.
      plaintext: this.#buffers.take(jobSizeMaxBytes(geometry)),
      sealed: this.#buffers.take(sealedSizeMaxBytes),
      nextSealed: this.#buffers.take(sealedSizeMaxBytes),
    }
    this.#running++
    try {
      const chunks = new Map<string, NamedChunk>()
      const ids = await this.#readAndName(job, buffers.plaintext, chunks)
      if (chunks.size > 0) await this.#send([...chunks.values()], buffers)
      for (const range of job.parts ?? [job]) Atomics.add(bytesDone, 0, BigInt(rangeLength(geometry, range)))
      return ids
    } finally {
      for (const buffer of Object.values(buffers)) this.#buffers.give(buffer)
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
    this.#source.then((source) => source.close()).catch(() => {})
  }

  /**
   * Reads all parts of a job at once, one behind another into a buffer, and names each when it is there: scattered chunks
   * would otherwise wait for the disk one by one.
   *
   * @param chunks gets each different chunk that is not zeros
   * @returns the ids of all chunks of the job
   */
  async #readAndName(job: JobRange, buffer: Buffer, chunks: Map<string, NamedChunk>): Promise<Buffer> {
    let at = 0
    const parts = (job.parts ?? [job]).map((range) => {
      const lengthBytes = rangeLength(this.#spec.geometry, range)
      const plaintext = buffer.subarray(at, at + alignedLength(lengthBytes))
      at += plaintext.length
      const reading = this.#read(range, plaintext, lengthBytes)
      // Looked at when its turn comes.
      reading.catch(() => {})
      return { range, plaintext, reading }
    })
    const ids: Buffer[] = []
    try {
      for (const { range, plaintext, reading } of parts) {
        await reading
        ids.push(this.#name(range, plaintext, chunks))
      }
    } finally {
      // The buffer is used again.
      await Promise.allSettled(parts.map(({ reading }) => reading))
    }
    return Buffer.concat(ids)
  }

  async #read({ from, allocated }: JobRange, target: Buffer, lengthBytes: number): Promise<void> {
    const start = this.#spec.sourceOffsetBytes + from * this.#spec.geometry.chunkSizeBytes
    const read = async (offsetBytes: number, sizeBytes: number) => {
      const size = await this.#readFrom(
        start + offsetBytes,
        target.subarray(offsetBytes, offsetBytes + sizeBytes),
      )
      const wantedBytes = Math.min(sizeBytes, lengthBytes - offsetBytes)
      if (size < wantedBytes) throw unreadable(`it ends at byte ${start + offsetBytes + size}`)
    }
    if (allocated === undefined) await read(0, alignedLength(lengthBytes))
    else await readUsed(target, lengthBytes, allocated, read)
  }

  async #readFrom(position: number, target: Buffer): Promise<number> {
    try {
      const source = await this.#source
      return await source.read(target, position)
    } catch (error) {
      throw unreadable(describe(error))
    }
  }

  /**
   * Adds each different chunk of a range that is not zeros to `chunks`.
   *
   * @returns the ids of all of them
   */
  #name({ from, to }: ChunkRange, plaintexts: Buffer, chunks: Map<string, NamedChunk>): Buffer {
    const { geometry, keys } = this.#spec
    const ids = Buffer.alloc((to - from) * idSizeBytes)
    for (let index = from; index < to; index++) {
      const start = (index - from) * geometry.chunkSizeBytes
      const plaintext = plaintexts.subarray(start, start + chunkLength(geometry, index))
      if (isAllZero(plaintext)) continue
      const id = nameChunk(plaintext, keys.naming)
      ids.set(id, (index - from) * idSizeBytes)
      chunks.set(id.toString('latin1'), { id, plaintext })
    }
    return ids
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
    const named = { ids: Buffer.concat(chunks.map(({ id }) => id)), count: chunks.length }
    const missing = await askMissing(this.#client, backupId, named, signal)
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
      before = this.#write(sink, uploadHeader(id, sealed.length), sealed)
      // Without a handler now, a connection that is lost while the next chunk is sealed would end the thread.
      before.catch(() => {})
      ;[into, nextInto] = [nextInto, into]
    }
    await before
  }

  /** Under a limit in small pieces, so that the line is used evenly. */
  async #write(sink: Writable, header: Uint8Array, sealed: Uint8Array): Promise<void> {
    const { limit } = this.#spec
    if (limit === undefined) return written(sink, header, sealed)
    await written(sink, header)
    for (let at = 0; at < sealed.length; at += limitedPieceSizeBytes) {
      const piece = sealed.subarray(at, at + limitedPieceSizeBytes)
      await takeBandwidth(limit, piece.length, this.#closing.signal)
      await written(sink, piece)
    }
  }
}

function unreadable(why: string): TaskFailure {
  return new TaskFailure(taskFailures.sourceUnreadable, `the source cannot be read: ${why}`)
}
