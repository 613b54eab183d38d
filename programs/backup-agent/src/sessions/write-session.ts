import { type ChunkFrame, isSet } from '@palisade/agent-protocol/wire'
import type { AlignedBuffers } from '../chunks/aligned-buffers.ts'
import type { ChunkRange } from '../chunks/chunk-range.ts'
import { asDestinationFailure } from '../failure.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { type DiskFiles, openDiskFiles } from './disk-file.ts'
import { FetchLanes, type Lane } from './fetch-lanes.ts'
import { RangeFetch } from './range-fetch.ts'
import { ReadBack } from './read-back.ts'
import type { WorkerSession, WriteSpec } from './session.ts'
import { unsealFrame } from './unseal-frame.ts'
import { VolumeFile } from './volume-file.ts'

/** The disk that a session writes, open. */
interface OpenDisk {
  readonly files: DiskFiles
  readonly volume: VolumeFile
  readonly writer: ChunkWriter
  readonly readBack: ReadBack
  /** For chunks that nobody has written. */
  readonly zeros: ReadBack
}

/** A restore returns no ids. */
const noIds = new Uint8Array()

/**
 * Fetches ranges of chunks, writes each chunk straight to its place on the disk, in the order of arrival, and reads
 * it back from there.
 *
 *     receive buffer ──> sealed ──> opened, in an aligned buffer ──> disk ──> read back, named, compared
 *
 * While one chunk is written, others are read back and the next is opened. When too many writes are under way, the server has to
 * wait. All of it happens in this thread; the main thread hears of whole ranges only.
 */
export class WriteSession implements WorkerSession {
  readonly #spec: WriteSpec
  readonly #buffers: AlignedBuffers
  readonly #disk: Promise<OpenDisk>
  readonly #lanes: FetchLanes

  constructor(spec: WriteSpec, buffers: AlignedBuffers) {
    this.#spec = spec
    this.#buffers = buffers
    this.#disk = openSpecified(spec, buffers)
    // Jobs report why it cannot be opened.
    this.#disk.catch(() => {})
    this.#lanes = new FetchLanes(spec, buffers, () => {
      this.#disk
        .then(({ files: { data, holes } }) => Promise.all([data.close(), holes.close()]))
        .catch(() => {})
    })
  }

  async run(range: ChunkRange): Promise<Uint8Array> {
    await this.#lanes.use(async (lane) => {
      const disk = await this.#disk
      await this.#fetchAndWrite(range, lane, disk)
      await this.#checkZeros(range, disk)
    })
    return noIds
  }

  close(): void {
    this.#lanes.close()
  }

  /** Resolves when the range is on the disk and verified. Nothing is under way afterwards, also when it rejects. */
  async #fetchAndWrite(range: ChunkRange, lane: Lane, disk: OpenDisk): Promise<void> {
    const stored: Promise<void>[] = []
    const take = (frame: ChunkFrame) => {
      const buffer = this.#open(frame, disk)
      const done = this.#store(frame.index, Buffer.from(frame.id), buffer, disk)
      // Awaited when all of the range has arrived.
      done.catch(() => {})
      stored.push(done)
    }
    const fetch = new RangeFetch(this.#spec, range, lane, { take, whenReady: () => disk.writer.whenReady() })
    try {
      await fetch.run(this.#lanes.signal)
    } finally {
      await settleAll(stored)
    }
  }

  /** Decrypts and unpacks a chunk into a buffer. */
  #open(frame: ChunkFrame, { volume }: OpenDisk): Buffer {
    const buffer = this.#buffers.take(volume.bufferSizeBytes)
    try {
      unsealFrame(frame, this.#spec, buffer)
      return buffer
    } catch (error) {
      this.#buffers.give(buffer)
      throw error
    }
  }

  async #store(index: number, id: Buffer, buffer: Buffer, { writer, readBack }: OpenDisk): Promise<void> {
    try {
      await writer.write(index, buffer)
    } catch (error) {
      throw asDestinationFailure(error, this.#spec.shownPath)
    }
    await readBack.check(index, id, this.#lanes.signal)
  }

  /** Checks the chunks that are not stored and for which the file has room nevertheless. */
  async #checkZeros({ from, to }: ChunkRange, { volume, zeros }: OpenDisk): Promise<void> {
    const checks: Promise<void>[] = []
    for (let index = from; index < to; index++) {
      if (isSet(this.#spec.presence, index) || !volume.hasPlace(index)) continue
      checks.push(zeros.check(index, undefined, this.#lanes.signal))
    }
    await settleAll(checks)
  }
}

/** Waits until all are done, and only then rejects with the first failure: nothing is under way any more. */
async function settleAll(promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === 'rejected') throw result.reason
  }
}

async function openSpecified(spec: WriteSpec, buffers: AlignedBuffers): Promise<OpenDisk> {
  try {
    const files = await openDiskFiles(spec.diskPath, spec.verifiesFromDisk)
    const volume = new VolumeFile(files.data, spec)
    return {
      files,
      volume,
      writer: new ChunkWriter(volume, buffers),
      readBack: new ReadBack(volume, spec, buffers),
      zeros: new ReadBack(new VolumeFile(files.holes, spec), spec, buffers),
    }
  } catch (error) {
    throw asDestinationFailure(error, spec.shownPath)
  }
}
