import { closeSync, openSync } from 'node:fs'
import { agentPaths, type ChunkFrame, FrameError, idSizeBytes, taskFailures } from '@palisade/agent-protocol'
import { isVaultFailure, openChunk, sealOverheadBytes } from '@palisade/vault'
import { writeDiskData } from '@palisade/virtual-disk'
import { type ChunkRange, chunkLength } from '../chunk-range.ts'
import { TaskFailure } from '../failure.ts'
import { DownloadConnection } from '../server/download/download-connection.ts'
import { FrameCutter } from '../server/download/frame-cutter.ts'
import { persist } from '../server/persist.ts'
import { ReplyBroken } from '../server/request-failure.ts'
import type { WorkerSession, WriteSpec } from '../workers/messages.ts'
import { asDestinationFailure } from './destination-failure.ts'
import { RangeReceipt } from './range-receipt.ts'

/** What one range at a time is fetched with. */
interface Lane {
  readonly connection: DownloadConnection
  /** Room for a chunk that arrives in pieces. */
  readonly sealed: Buffer
}

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
    this.#plaintext = Buffer.allocUnsafeSlow(spec.geometry.chunkSizeBytes)
  }

  async run(range: ChunkRange): Promise<Uint8Array> {
    this.#running++
    const lane = this.#spareLanes.pop() ?? this.#newLane()
    try {
      return await this.#fetch(range, lane)
    } finally {
      this.#running--
      if (this.#closing.signal.aborted) lane.connection.close()
      else this.#spareLanes.push(lane)
      this.#closeDiskWhenDone()
    }
  }

  close(): void {
    this.#closing.abort()
    for (const { connection } of this.#spareLanes) connection.close()
    this.#closeDiskWhenDone()
  }

  #newLane(): Lane {
    const { connection, geometry } = this.#spec
    return {
      connection: new DownloadConnection(connection),
      sealed: Buffer.allocUnsafeSlow(geometry.chunkSizeBytes + sealOverheadBytes),
    }
  }

  #closeDiskWhenDone(): void {
    if (this.#closing.signal.aborted && this.#running === 0) closeSync(this.#disk)
  }

  /** Goes on where it was interrupted: chunks that have arrived are not asked for again. */
  async #fetch(range: ChunkRange, lane: Lane): Promise<Uint8Array> {
    const { presence, patience } = this.#spec
    const { signal } = this.#closing
    const receipt = new RangeReceipt(range, presence)
    const ids = Buffer.alloc((range.to - range.from) * idSizeBytes)
    const take = (frame: ChunkFrame) => {
      if (!receipt.isMissing(frame.index))
        throw new ReplyBroken('the server sent a chunk that was not asked for')
      this.#write(frame)
      receipt.take(frame.index)
      ids.set(frame.id, (frame.index - range.from) * idSizeBytes)
    }
    const download = () => this.#download(receipt, lane, take)
    let mayBeDamaged = true
    while (receipt.firstMissingRun() !== undefined) {
      try {
        await persist(download, { signal, patience })
      } catch (error) {
        // What was damaged on its way is whole the second time.
        if (!mayBeDamaged || !isDataDamaged(error)) throw error
        mayBeDamaged = false
      }
    }
    return ids
  }

  /** Asks for the first chunks that are missing. */
  async #download(
    receipt: RangeReceipt,
    { connection, sealed }: Lane,
    onFrame: (frame: ChunkFrame) => void,
  ): Promise<void> {
    const run = receipt.firstMissingRun()
    if (run === undefined) return
    const { restoreId, revisionId } = this.#spec
    const cutter = new FrameCutter(sealed, onFrame)
    const path = `${agentPaths.revisionChunks(restoreId, revisionId)}?from=${run.from}&to=${run.to}`
    try {
      await connection.get(path, (bytes) => cutter.push(bytes), this.#closing.signal)
      cutter.end()
    } catch (error) {
      if (error instanceof FrameError) throw new ReplyBroken(error.message, { cause: error })
      throw error
    }
    if (receipt.isMissing(run.from)) throw new ReplyBroken('the server left out chunks that it has')
  }

  #write({ index, id, sealed }: ChunkFrame): void {
    const { geometry, keys, plan, partitionOffsetBytes, bytesDone, diskPath } = this.#spec
    const lengthBytes = chunkLength(geometry, index)
    const into = this.#plaintext.subarray(0, lengthBytes)
    const plaintext = this.#open(index, () => openChunk(id, sealed, keys, { into }))
    if (plaintext.length !== lengthBytes) throw this.#damaged(index)
    try {
      writeDiskData(this.#disk, plan, partitionOffsetBytes + index * geometry.chunkSizeBytes, plaintext)
    } catch (error) {
      throw asDestinationFailure(error, diskPath)
    }
    Atomics.add(bytesDone, 0, BigInt(lengthBytes))
  }

  #open(index: number, open: () => Uint8Array): Uint8Array {
    try {
      return open()
    } catch (error) {
      throw isVaultFailure(error, 'damaged') ? this.#damaged(index) : error
    }
  }

  #damaged(index: number): TaskFailure {
    const { revisionId } = this.#spec
    return new TaskFailure(
      taskFailures.dataDamaged,
      `chunk ${index} of revision ${revisionId} is not what was backed up`,
    )
  }
}

function isDataDamaged(error: unknown): boolean {
  return error instanceof TaskFailure && error.code === taskFailures.dataDamaged
}

function openDisk(path: string): number {
  try {
    return openSync(path, 'r+')
  } catch (error) {
    throw asDestinationFailure(error, path)
  }
}
