import type { AlignedBuffers } from '../direct-io/aligned-buffers.ts'
import type { VolumeFile } from './volume-file.ts'

/** While so many chunks are on their way to the disk, the thread opens the next ones. */
const writesMax = 4

/** Writes chunks to a volume, several at a time. */
export class ChunkWriter {
  readonly #volume: VolumeFile
  readonly #buffers: AlignedBuffers
  #writes = 0

  constructor(volume: VolumeFile, buffers: AlignedBuffers) {
    this.#volume = volume
    this.#buffers = buffers
  }

  /**
   * Writes a chunk from the beginning of a buffer, and then gives the buffer back. Goes on beside the caller; but
   * when {@link writesMax} are under way the thread waits, which bounds the memory.
   */
  async write(index: number, buffer: Buffer): Promise<void> {
    const waits = this.#writes >= writesMax
    this.#writes++
    try {
      await this.#volume.write(index, buffer, waits)
    } finally {
      this.#writes--
      this.#buffers.give(buffer)
    }
  }
}
