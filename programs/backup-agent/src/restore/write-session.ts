import { type ChunkFrame, taskFailures } from '@palisade/agent-protocol'
import { isVaultFailure, openChunk, sealOverheadBytes } from '@palisade/vault'
import { type ChunkRange, chunkLength } from '../chunk-range.ts'
import type { AlignedBuffers } from '../direct-io/aligned-buffers.ts'
import { DirectFile } from '../direct-io/direct-file.ts'
import { TaskFailure } from '../failure.ts'
import { DownloadConnection, receiveBufferSizeBytes } from '../server/download/download-connection.ts'
import type { WorkerSession, WriteSpec } from '../workers/messages.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { asDestinationFailure } from './destination-failure.ts'
import { type Lane, RangeFetch } from './range-fetch.ts'
import { readBack } from './read-back.ts'
import { VolumeFile } from './volume-file.ts'

/** The disk that a session writes, open. */
interface OpenDisk {
  readonly file: DirectFile
  readonly volume: VolumeFile
  readonly writer: ChunkWriter
}

/**
 * Fetches ranges of chunks and writes each chunk straight to its place on the disk, in the order of arrival; when
 * a range is complete it is read back from the disk.
 *
 *     receive buffer ──> sealed ──> opened, in an aligned buffer ──> disk ──> read back, named, compared
 *
 * All of it happens in this thread; the main thread hears of whole ranges only.
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
      const ids = await this.#fetchAndWrite(range, lane, disk)
      this.#closing.signal.throwIfAborted()
      await readBack(disk.volume, range, ids, this.#spec, this.#buffers)
      return ids
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

  /** Resolves when every chunk of the range is on the disk; whatever happens, no write is under way afterwards. */
  async #fetchAndWrite(range: ChunkRange, lane: Lane, disk: OpenDisk): Promise<Uint8Array> {
    const writes: Promise<void>[] = []
    const fetch = new RangeFetch(this.#spec, range, lane, (frame) => {
      const write = this.#write(frame, disk)
      // Looked at when all of the range has arrived.
      write.catch(() => {})
      writes.push(write)
    })
    try {
      return await fetch.run(this.#closing.signal)
    } finally {
      await this.#settle(writes)
    }
  }

  async #settle(writes: readonly Promise<void>[]): Promise<void> {
    for (const result of await Promise.allSettled(writes)) {
      if (result.status === 'rejected') throw asDestinationFailure(result.reason, this.#spec.diskPath)
    }
  }

  #write({ index, id, sealed }: ChunkFrame, { volume, writer }: OpenDisk): Promise<void> {
    const { geometry, keys, revisionId } = this.#spec
    const lengthBytes = chunkLength(geometry, index)
    const buffer = this.#buffers.take(volume.bufferSizeBytes)
    const into = buffer.subarray(0, lengthBytes)
    const plaintext = openOrNothing(() => openChunk(id, sealed, keys, { into }))
    if (plaintext?.length !== lengthBytes) {
      this.#buffers.give(buffer)
      throw new TaskFailure(
        taskFailures.dataDamaged,
        `chunk ${index} of revision ${revisionId} is not what was backed up`,
      )
    }
    return writer.write(index, buffer)
  }
}

async function openSpecified(spec: WriteSpec, buffers: AlignedBuffers): Promise<OpenDisk> {
  try {
    const file = await DirectFile.open(spec.diskPath, 'read-write')
    const volume = new VolumeFile(file, spec)
    return { file, volume, writer: new ChunkWriter(volume, buffers) }
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
