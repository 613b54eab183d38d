import type { AlignedBuffers } from '../chunks/aligned-buffers.ts'
import type { VolumeFile } from './volume-file.ts'

/** With so many writes under way, no more chunks are requested. */
const writesEnough = 3
/** With so many, further chunks are written synchronously, which bounds the memory. */
const writesMax = 6

/** Writes chunks to a volume, several at a time. */
export class ChunkWriter {
  readonly #volume: VolumeFile
  readonly #buffers: AlignedBuffers
  #writes = 0
  #ready: PromiseWithResolvers<void> | undefined

  constructor(volume: VolumeFile, buffers: AlignedBuffers) {
    this.#volume = volume
    this.#buffers = buffers
  }

  /**
   * Writes a chunk from the beginning of a buffer, and then gives the buffer back. Goes on beside the caller; but
   * when {@link writesMax} are under way the thread waits.
   */
  async write(index: number, buffer: Buffer): Promise<void> {
    const waits = this.#writes >= writesMax
    this.#writes++
    try {
      await this.#volume.write(index, buffer, waits)
    } finally {
      this.#writes--
      this.#buffers.give(buffer)
      if (this.#writes < writesEnough) this.#ready?.resolve()
    }
  }

  /** Resolves when more chunks may come; undefined when they may come now. */
  whenReady(): Promise<void> | undefined {
    if (this.#writes < writesEnough) return undefined
    if (this.#ready === undefined) {
      this.#ready = Promise.withResolvers()
      this.#ready.promise.then(() => {
        this.#ready = undefined
      })
    }
    return this.#ready.promise
  }
}
