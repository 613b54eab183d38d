import { isSet, taskFailures } from '@palisade/agent-protocol'
import { isAllZero, nameChunk } from '@palisade/vault'
import { DiskFailure, type FileSource, openDisk, openFile, type VirtualDisk } from '@palisade/virtual-disk'
import { type ChunkRange, chunkLength, idAt } from '../chunk-range.ts'
import { describe, systemCode, TaskFailure } from '../failure.ts'
import type { Job, VerifySpec, WorkerSession } from '../workers/messages.ts'

/**
 * Reads the volume back as anybody who attaches the disk would: the file is opened anew, by what it says itself
 * and not by the plan that it was written with. Stored chunks are named again and their names compared; other
 * places must be zeros.
 */
export class VerifySession implements WorkerSession {
  readonly #spec: VerifySpec
  readonly #file: Promise<FileSource>
  readonly #disk: Promise<VirtualDisk>
  readonly #spareBuffers: Buffer[] = []
  #isClosed = false
  #running = 0

  constructor(spec: VerifySpec) {
    this.#spec = spec
    this.#file = openFile(spec.diskPath)
    this.#disk = this.#file.then((file) => openDisk(file))
    // Reported by the first job.
    this.#disk.catch(() => {})
  }

  async run(job: Job): Promise<Uint8Array> {
    const { ids } = job
    if (ids === undefined) throw new Error('nothing to compare the chunks with')
    const { geometry } = this.#spec
    const buffer = this.#spareBuffers.pop() ?? Buffer.allocUnsafeSlow(geometry.chunkSizeBytes)
    this.#running++
    try {
      await this.#verify(job, ids, buffer)
      return new Uint8Array()
    } catch (error) {
      const isOfTheDisk = error instanceof DiskFailure || systemCode(error) !== undefined
      throw isOfTheDisk ? this.#failure(describe(error)) : error
    } finally {
      this.#spareBuffers.push(buffer)
      this.#running--
      this.#closeFileWhenDone()
    }
  }

  close(): void {
    this.#isClosed = true
    this.#closeFileWhenDone()
  }

  #closeFileWhenDone(): void {
    if (!this.#isClosed || this.#running > 0) return
    this.#file.then((file) => file.close()).catch(() => {})
  }

  async #verify({ from, to }: ChunkRange, ids: Uint8Array, buffer: Buffer): Promise<void> {
    const { geometry, bytesDone } = this.#spec
    const disk = await this.#disk
    for (let index = from; index < to; index++) {
      if (this.#isClosed) throw new Error('the session is closed')
      const lengthBytes = chunkLength(geometry, index)
      if (!(await this.#isRight(disk, index, idAt(ids, index - from), buffer.subarray(0, lengthBytes)))) {
        throw this.#failure(`chunk ${index} does not read back as it was written`)
      }
      Atomics.add(bytesDone, 0, BigInt(lengthBytes))
    }
  }

  async #isRight(disk: VirtualDisk, index: number, id: Uint8Array, chunk: Buffer): Promise<boolean> {
    const { partitionOffsetBytes, geometry, presence, keys } = this.#spec
    await disk.read(chunk, partitionOffsetBytes + index * geometry.chunkSizeBytes)
    return isSet(presence, index) ? nameChunk(chunk, keys.naming).equals(id) : isAllZero(chunk)
  }

  #failure(why: string): TaskFailure {
    return new TaskFailure(taskFailures.verificationFailed, `${this.#spec.diskPath} is not right: ${why}`)
  }
}
