import type { Writable } from 'node:stream'
import { agentPaths, idSizeBytes, isSet, taskFailures, uploadHeader } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import {
  alignedLength,
  DirectFile,
  isAllZero,
  makePatch,
  nameChunk,
  namePatch,
  sealChunk,
  sealOverheadBytes,
} from '@palisade/vault/chunks'
import type { AlignedBuffers } from '../chunks/aligned-buffers.ts'
import { type ChunkRange, chunkLength, rangeLength } from '../chunks/chunk-range.ts'
import { TaskFailure } from '../failure.ts'
import { ServerClient, shortReplyMaxBytes } from '../server/exchange.ts'
import { askMissing } from '../server/missing.ts'
import { isRefusedWith } from '../server/request-failure.ts'
import { retryRequest } from '../server/retry-request.ts'
import { writeAll } from '../server/write-all.ts'
import { BackupRestartNeeded } from './backup-restart-needed.ts'
import { takeBandwidth } from './bandwidth.ts'
import { jobSizeMaxBytes } from './job-size.ts'
import { readUsed } from './read-used.ts'
import type { JobRange, SendSpec, WorkerSession } from './session.ts'

const limitedPieceSizeBytes = 16 * 1024
/** Stands for no patch. */
const noId = new Uint8Array(idSizeBytes)

/** A chunk that was read, with its name. */
interface NamedChunk {
  readonly id: Buffer
  /** In the buffer of its range: valid as long as the range is under way. */
  readonly plaintext: Buffer
}

/** One of which it is known what was changed: a patch of that is sent, unless the server has all of it. */
interface PatchableChunk extends NamedChunk {
  /** Which of the chunks of its job it is. */
  readonly place: number
  readonly map: Uint8Array
  readonly patchId: Buffer
}

/** What was read for a job. */
interface NamedJob {
  /** Of all chunks, and behind them the ids of patches. */
  readonly ids: Buffer
  /** Each different one that is not zeros and not patchable, by its id. */
  readonly chunks: Map<string, NamedChunk>
  readonly patchable: PatchableChunk[]
}

/** Something that is to be sealed and sent when its turn comes. */
interface Upload {
  readonly id: Buffer
  content(): Uint8Array
}

/** What one job at a time is read and sent with. */
interface Buffers {
  /** All chunks of a job, each of its parts from an aligned place on. */
  readonly plaintext: Buffer
  readonly sealed: Buffer
  readonly nextSealed: Buffer
  /** Of a job with patches. */
  readonly patch: Buffer | undefined
}

/**
 * Sends ranges of chunks: read and name them, ask which of them the server lacks, seal and upload those. What
 * the server has is never compressed nor encrypted. Of a chunk of which little was changed only that is sent, as a patch.
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
    // Jobs report why it cannot be opened.
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
      patch: job.patchMaps && this.#buffers.take(geometry.chunkSizeBytes),
    }
    this.#running++
    try {
      const named = await this.#readAndName(job, buffers.plaintext)
      if (named.chunks.size + named.patchable.length > 0) await this.#send(named, buffers)
      for (const range of job.parts ?? [job]) Atomics.add(bytesDone, 0, BigInt(rangeLength(geometry, range)))
      return named.ids
    } finally {
      for (const buffer of Object.values(buffers)) if (buffer !== undefined) this.#buffers.give(buffer)
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
   */
  async #readAndName(job: JobRange, buffer: Buffer): Promise<NamedJob> {
    const ranges = job.parts ?? [job]
    const count = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
    const lists = job.patchMaps === undefined ? 1 : 2
    const named: NamedJob = {
      ids: Buffer.alloc(lists * count * idSizeBytes),
      chunks: new Map(),
      patchable: [],
    }
    let at = 0
    const parts = ranges.map((range) => {
      const lengthBytes = rangeLength(this.#spec.geometry, range)
      const plaintext = buffer.subarray(at, at + alignedLength(lengthBytes))
      at += plaintext.length
      const reading = this.#read(range, plaintext, lengthBytes)
      // Awaited when its turn comes.
      reading.catch(() => {})
      return { range, plaintext, reading }
    })
    try {
      let place = 0
      for (const { range, plaintext, reading } of parts) {
        await reading
        this.#name(range, plaintext, { patchMaps: job.patchMaps, firstPlace: place }, named)
        place += range.to - range.from
      }
    } finally {
      // The buffer is used again.
      await Promise.allSettled(parts.map(({ reading }) => reading))
    }
    return named
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

  /** Names the chunks of a range, the first of which has the given place in its job. */
  #name(
    { from, to }: ChunkRange,
    plaintexts: Buffer,
    { patchMaps, firstPlace }: { readonly patchMaps: JobRange['patchMaps']; readonly firstPlace: number },
    { ids, chunks, patchable }: NamedJob,
  ): void {
    const { geometry, keys } = this.#spec
    for (let index = from; index < to; index++) {
      const start = (index - from) * geometry.chunkSizeBytes
      const plaintext = plaintexts.subarray(start, start + chunkLength(geometry, index))
      if (isAllZero(plaintext)) continue
      const place = firstPlace + index - from
      const id = nameChunk(plaintext, keys.naming)
      ids.set(id, place * idSizeBytes)
      const map = patchMaps?.get(index)
      if (map === undefined) chunks.set(id.toString('latin1'), { id, plaintext })
      else patchable.push({ id, plaintext, place, map, patchId: namePatch(plaintext, map, keys.naming) })
    }
  }

  async #send(named: NamedJob, buffers: Buffers): Promise<void> {
    const { signal } = this.#closing
    try {
      await retryRequest(() => this.#sendMissing(named, buffers), {
        signal,
        retryPolicy: this.#spec.retryPolicy,
        addresses: this.#client.addresses,
        expectedStatuses: [409],
      })
    } catch (error) {
      if (isRefusedWith(error, 409))
        throw new BackupRestartNeeded('the server no longer knows of this backup')
      throw error
    }
  }

  async #sendMissing({ ids, chunks, patchable }: NamedJob, buffers: Buffers): Promise<void> {
    const { backupId } = this.#spec
    const { signal } = this.#closing
    const whole = [...chunks.values()]
    const chunkIds = [...whole, ...patchable].map(({ id }) => id)
    for (const { patchId } of patchable) chunkIds.push(patchId)
    const chunkNames = { ids: Buffer.concat(chunkIds), count: chunkIds.length }
    const missing = await askMissing(this.#client, backupId, chunkNames, signal)
    const uploads: Upload[] = whole
      .filter((_chunk, index) => isSet(missing, index))
      .map(({ id, plaintext }) => ({ id, content: () => plaintext }))
    for (const [index, { place, patchId, map, plaintext }] of patchable.entries()) {
      const isPatched = isSet(missing, whole.length + index)
      const idAt = ids.length / 2 + place * idSizeBytes
      ids.set(isPatched ? patchId : noId, idAt)
      if (!isPatched || !isSet(missing, whole.length + patchable.length + index)) continue
      uploads.push({ id: patchId, content: () => makePatch(plaintext, map, buffers.patch) })
    }
    if (uploads.length === 0) return
    await this.#client.exchange({
      method: 'POST',
      path: agentPaths.chunks(backupId),
      contentType: 'application/octet-stream',
      body: (sink) => this.#upload(uploads, buffers, sink),
      replyMaxBytes: shortReplyMaxBytes,
      signal,
    })
  }

  /** Seals one chunk while the one before is on its way; two buffers take turns. */
  async #upload(uploads: readonly Upload[], buffers: Buffers, sink: Writable): Promise<void> {
    let { sealed: into, nextSealed: nextInto } = buffers
    let before = Promise.resolve()
    for (const { id, content } of uploads) {
      const sealed = sealChunk(id, content(), this.#spec.keys, { into })
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
    if (limit === undefined) return writeAll(sink, header, sealed)
    await writeAll(sink, header)
    for (let at = 0; at < sealed.length; at += limitedPieceSizeBytes) {
      const piece = sealed.subarray(at, at + limitedPieceSizeBytes)
      await takeBandwidth(limit, piece.length, this.#closing.signal)
      await writeAll(sink, piece)
    }
  }
}

function unreadable(why: string): TaskFailure {
  return new TaskFailure(taskFailures.sourceUnreadable, `the source cannot be read: ${why}`)
}
