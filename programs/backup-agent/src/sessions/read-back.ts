import { taskFailures } from '@palisade/agent-protocol/wire'
import { systemCode } from '@palisade/private-files'
import { describe } from '@palisade/start-up'
import { isAllZero, nameChunk } from '@palisade/vault/chunks'
import type { AlignedBuffers } from '../chunks/aligned-buffers.ts'
import { TaskFailure } from '../failure.ts'
import type { WriteSpec } from './session.ts'
import { FileEndsEarly, type VolumeFile } from './volume-file.ts'

/** How many chunks are read at a time: one is compared while the others are on their way. */
const readsMax = 3

/** What of a session's work is needed to compare a chunk. */
type ReadBackSpec = Pick<WriteSpec, 'keys' | 'bytesDone' | 'shownPath'>

/** Reads chunks back from the disk and compares them with what was to be written, a few at a time. */
export class ReadBack {
  readonly #volume: VolumeFile
  readonly #spec: ReadBackSpec
  readonly #buffers: AlignedBuffers
  #reads = 0
  /** Those whose turn has not come. */
  readonly #waiting: (() => void)[] = []

  constructor(volume: VolumeFile, spec: ReadBackSpec, buffers: AlignedBuffers) {
    this.#volume = volume
    this.#spec = spec
    this.#buffers = buffers
  }

  /**
   * Names a chunk on the disk again and compares the names; one without an id must be zeros.
   *
   * @throws TaskFailure VerificationFailed
   */
  async check(index: number, id: Uint8Array | undefined, signal: AbortSignal): Promise<void> {
    if (this.#reads >= readsMax) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#reads++
    try {
      signal.throwIfAborted()
      await this.#compare(index, id)
    } finally {
      // The turn passes on without a moment in which somebody else could take it.
      const next = this.#waiting.shift()
      if (next === undefined) this.#reads--
      else next()
    }
  }

  async #compare(index: number, id: Uint8Array | undefined): Promise<void> {
    const { keys, bytesDone } = this.#spec
    const buffer = this.#buffers.take(this.#volume.bufferSizeBytes)
    try {
      const chunk = await this.#read(index, buffer)
      const isRight = id === undefined ? isAllZero(chunk) : nameChunk(chunk, keys.naming).equals(id)
      if (!isRight) throw this.#failure(`chunk ${index} does not read back as it was backed up`)
      if (id !== undefined) Atomics.add(bytesDone, 0, BigInt(chunk.length))
    } finally {
      this.#buffers.give(buffer)
    }
  }

  async #read(index: number, buffer: Buffer): Promise<Buffer> {
    try {
      return await this.#volume.read(index, buffer)
    } catch (error) {
      const isOfTheDisk = error instanceof FileEndsEarly || systemCode(error) !== undefined
      throw isOfTheDisk ? this.#failure(describe(error)) : error
    }
  }

  #failure(why: string): TaskFailure {
    return new TaskFailure(taskFailures.verificationFailed, `${this.#spec.shownPath} is not right: ${why}`)
  }
}
