import { allocateAligned } from './aligned-memory.ts'

/** By measurement larger writes are not faster, and smaller ones cost more processor time. */
export const stagingSizeBytes = 2 * 1024 * 1024

/** Aligned buffers for what is on its way to files, used again and again, and never more than so many. */
export class StagingMemory {
  readonly #buffersMax: number
  readonly #spare: Buffer[] = []
  #count = 0

  /** @param buffersMax of {@link stagingSizeBytes} each; they are made when they are needed */
  constructor(buffersMax: number) {
    this.#buffersMax = buffersMax
  }

  /** A buffer, with whatever is in it; undefined when all are in use. */
  take(): Buffer | undefined {
    const spare = this.#spare.pop()
    if (spare !== undefined || this.#count === this.#buffersMax) return spare
    this.#count++
    return allocateAligned(stagingSizeBytes)
  }

  /** Gives a buffer back that nothing refers to any more. */
  give(buffer: Buffer): void {
    this.#spare.push(buffer)
  }
}
