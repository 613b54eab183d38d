import { allocateAligned } from '@palisade/vault/chunks'

/** Aligned buffers of one thread that are used again and again. They are never given back to the system. */
export class AlignedBuffers {
  readonly #spare: Buffer[] = []

  /** The smallest spare buffer of at least this size, or a new one. What is in it is left from before. */
  take(sizeBytes: number): Buffer {
    const [best] = this.#spare
      .filter(({ length }) => length >= sizeBytes)
      .toSorted((a, b) => a.length - b.length)
    if (best === undefined) return allocateAligned(sizeBytes)
    this.#spare.splice(this.#spare.indexOf(best), 1)
    return best
  }

  /** Gives a whole buffer back that nothing refers to any more. */
  give(buffer: Buffer): void {
    this.#spare.push(buffer)
  }
}
