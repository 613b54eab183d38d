import { type ChunkFrame, isSet, taskFailures } from '@palisade/agent-protocol'
import { isVaultFailure, sealOverheadBytes, unsealChunk } from '@palisade/vault'
import { type ChunkRange, chunkLength } from '../chunk-range.ts'
import type { AlignedBuffers } from '../direct-io/aligned-buffers.ts'
import { DirectFile } from '../direct-io/direct-file.ts'
import { TaskFailure } from '../failure.ts'
import { DownloadConnection, receiveBufferSizeBytes } from '../server/download/download-connection.ts'
import type { WorkerSession, WriteSpec } from '../workers/messages.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { asDestinationFailure } from './destination-failure.ts'
import { type Lane, RangeFetch } from './range-fetch.ts'
import { ReadBack } from './read-back.ts'
import { VolumeFile } from './volume-file.ts'

/** The disk that a session writes, open. */
interface OpenDisk {
  readonly file: DirectFile
  readonly volume: VolumeFile
  readonly writer: ChunkWriter
  readonly readBack: ReadBack
}

/** Nobody asks a restore for the ids. */
const noIds = new Uint8Array()

/**
 * Fetches ranges of chunks, writes each chunk straight to its place on the disk, in the order of arrival, and reads
 * it back from there.
 *
 *     receive buffer ──> sealed ──> opened, in an aligned buffer ──> disk ──> read back, named, compared
 *
 * Each chunk goes its way by itself: while one is written, others are read back and the next is opened. When too many
 * are on their way to the disk, the server is let wait. All of it happens in this thread; the main thread hears of
 * whole ranges only.
 */
export class WriteSession implements WorkerSession {
  readonly #spec: WriteSpec
  readonly #buffers: AlignedBuffers
  readonly #disk: Promise<OpenDisk>
  readonly #closing = new AbortController()
  readonly #spareLanes: Lane[] = []
  #running = 0

  constructor(spec: WriteSpec, buffers: AlignedBuffers) {
    this.#spec = spec
    this.#buffers = buffers
    this.#disk = openSpecified(spec, buffers)
    // Jobs tell why it cannot be opened.
    this.#disk.catch(() => {})
  }

  async run(range: ChunkRange): Promise<Uint8Array> {
    this.#running++
    const lane = this.#spareLanes.pop() ?? this.#newLane()
    try {
      const disk = await this.#disk
      await this.#fetchAndWrite(range, lane, disk)
      await this.#checkZeros(range, disk)
      return noIds
    } finally {
      this.#running--
      this.#spareLanes.push(lane)
      this.#endWhenDone()
    }
  }

  close(): void {
    this.#closing.abort()
    this.#endWhenDone()
  }

  #endWhenDone(): void {
    if (!this.#closing.signal.aborted || this.#running > 0) return
    for (const { connection, received, sealed } of this.#spareLanes) {
      connection.close()
      for (const buffer of [received, sealed]) this.#buffers.give(buffer)
    }
    this.#disk.then(({ file }) => file.close()).catch(() => {})
  }

  #newLane(): Lane {
    const { connection, geometry } = this.#spec
    const received = this.#buffers.take(receiveBufferSizeBytes)
    return {
      connection: new DownloadConnection(connection, received),
      received,
      sealed: this.#buffers.take(geometry.chunkSizeBytes + sealOverheadBytes),
    }
  }

  /** Resolves when the range is on the disk and compared; whatever happens, nothing is under way afterwards. */
  async #fetchAndWrite(range: ChunkRange, lane: Lane, disk: OpenDisk): Promise<void> {
    const stored: Promise<void>[] = []
    const take = (frame: ChunkFrame) => {
      const buffer = this.#open(frame, disk)
      const done = this.#store(frame.index, Buffer.from(frame.id), buffer, disk)
      // Looked at when all of the range has arrived.
      done.catch(() => {})
      stored.push(done)
    }
    const fetch = new RangeFetch(this.#spec, range, lane, { take, whenReady: () => disk.writer.whenReady() })
    try {
      await fetch.run(this.#closing.signal)
    } finally {
      await allSettled(stored)
    }
  }

  /** Decrypts and unpacks a chunk into a buffer. Whether it is what its id names is seen when it is read back. */
  #open({ index, id, sealed }: ChunkFrame, { volume }: OpenDisk): Buffer {
    const { geometry, keys, revisionId } = this.#spec
    const lengthBytes = chunkLength(geometry, index)
    const buffer = this.#buffers.take(volume.bufferSizeBytes)
    const into = buffer.subarray(0, lengthBytes)
    const plaintext = openOrNothing(() => unsealChunk(id, sealed, keys, { into }))
    if (plaintext?.length === lengthBytes) return buffer
    this.#buffers.give(buffer)
    throw new TaskFailure(
      taskFailures.dataDamaged,
      `chunk ${index} of revision ${revisionId} is not what was backed up`,
    )
  }

  async #store(index: number, id: Buffer, buffer: Buffer, { writer, readBack }: OpenDisk): Promise<void> {
    try {
      await writer.write(index, buffer)
    } catch (error) {
      throw asDestinationFailure(error, this.#spec.diskPath)
    }
    await readBack.check(index, id, this.#closing.signal)
  }

  /** Checks the chunks that are not stored and for which the file has room nevertheless. */
  async #checkZeros({ from, to }: ChunkRange, { volume, readBack }: OpenDisk): Promise<void> {
    const checks: Promise<void>[] = []
    for (let index = from; index < to; index++) {
      if (isSet(this.#spec.presence, index) || !volume.hasPlace(index)) continue
      checks.push(readBack.check(index, undefined, this.#closing.signal))
    }
    await allSettled(checks)
  }
}

/** Waits for all, and rejects with the first failure among them. */
async function allSettled(promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === 'rejected') throw result.reason
  }
}

async function openSpecified(spec: WriteSpec, buffers: AlignedBuffers): Promise<OpenDisk> {
  try {
    const file = await DirectFile.open(spec.diskPath, 'read-write')
    const volume = new VolumeFile(file, spec)
    return {
      file,
      volume,
      writer: new ChunkWriter(volume, buffers),
      readBack: new ReadBack(volume, spec, buffers),
    }
  } catch (error) {
    throw asDestinationFailure(error, spec.diskPath)
  }
}

/** The content of a chunk; undefined when it is damaged. */
function openOrNothing(open: () => Uint8Array): Uint8Array | undefined {
  try {
    return open()
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return undefined
    throw error
  }
}
