import { closeSync, openSync } from 'node:fs'
import { type ChunkFrame, taskFailures } from '@palisade/agent-protocol'
import { isVaultFailure, openChunk, sealOverheadBytes } from '@palisade/vault'
import { writeDiskData } from '@palisade/virtual-disk'
import { type ChunkRange, chunkLength } from '../chunk-range.ts'
import { TaskFailure } from '../failure.ts'
import { DownloadConnection } from '../server/download/download-connection.ts'
import type { WorkerSession, WriteSpec } from '../workers/messages.ts'
import { asDestinationFailure } from './destination-failure.ts'
import { type Lane, RangeFetch } from './range-fetch.ts'

/**
 * Fetches ranges of chunks and writes each chunk straight to its place on the disk, in the order of arrival:
 * from the receive buffer through decryption to the file in one go, on this thread.
 */
export class WriteSession implements WorkerSession {
  readonly #spec: WriteSpec
  readonly #disk: number
  readonly #closing = new AbortController()
  /** One chunk at a time is opened into this buffer, and written from it. */
  readonly #plaintext: Buffer
  readonly #spareLanes: Lane[] = []
  #running = 0

  constructor(spec: WriteSpec) {
    this.#spec = spec
    this.#disk = openDisk(spec.diskPath)
    this.#plaintext = Buffer.allocUnsafeSlow(spec.geometry.chunkSizeBytes)
  }

  async run(range: ChunkRange): Promise<Uint8Array> {
    this.#running++
    const lane = this.#spareLanes.pop() ?? this.#newLane()
    const fetch = new RangeFetch(this.#spec, range, lane, (frame) => this.#write(frame))
    try {
      return await fetch.run(this.#closing.signal)
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
    for (const { connection } of this.#spareLanes) connection.close()
    closeSync(this.#disk)
  }

  #newLane(): Lane {
    const { connection, geometry } = this.#spec
    return {
      connection: new DownloadConnection(connection),
      sealed: Buffer.allocUnsafeSlow(geometry.chunkSizeBytes + sealOverheadBytes),
    }
  }

  #write({ index, id, sealed }: ChunkFrame): void {
    const { geometry, keys, plan, partitionOffsetBytes, bytesDone, diskPath, revisionId } = this.#spec
    const lengthBytes = chunkLength(geometry, index)
    const plaintext = openOrNothing(() =>
      openChunk(id, sealed, keys, { into: this.#plaintext.subarray(0, lengthBytes) }),
    )
    if (plaintext?.length !== lengthBytes) {
      throw new TaskFailure(
        taskFailures.dataDamaged,
        `chunk ${index} of revision ${revisionId} is not what was backed up`,
      )
    }
    try {
      writeDiskData(this.#disk, plan, partitionOffsetBytes + index * geometry.chunkSizeBytes, plaintext)
    } catch (error) {
      throw asDestinationFailure(error, diskPath)
    }
    Atomics.add(bytesDone, 0, BigInt(lengthBytes))
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

function openDisk(path: string): number {
  try {
    return openSync(path, 'r+')
  } catch (error) {
    throw asDestinationFailure(error, path)
  }
}
