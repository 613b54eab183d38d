/**
 * Buffers that are used again and again: a new one for every chunk would have to be cleared by the system and
 * collected as garbage, which cost more than everything else that is done with a chunk.
 */
export class BufferPool {
  readonly sizeBytes: number
  readonly #spare: Buffer[] = []
  readonly #spareMax: number
  readonly #allocate: (sizeBytes: number) => Buffer

  /**
   * @param spareMax how many are kept while nobody needs them
   * @param allocate gives a buffer of exactly the size that it is asked for
   */
  constructor(
    sizeBytes: number,
    spareMax: number,
    allocate: (sizeBytes: number) => Buffer = Buffer.allocUnsafeSlow,
  ) {
    this.sizeBytes = sizeBytes
    this.#spareMax = spareMax
    this.#allocate = allocate
  }

  /** A buffer of the pool's size, or one made for the occasion when that is too small. */
  take(neededBytes = this.sizeBytes): Buffer {
    if (neededBytes > this.sizeBytes) return Buffer.allocUnsafeSlow(neededBytes)
    return this.#spare.pop() ?? this.#allocate(this.sizeBytes)
  }

  /** Gives a buffer back that nobody looks at any more. One that is not given back is garbage as any other. */
  give(buffer: Buffer): void {
    if (buffer.length === this.sizeBytes && this.#spare.length < this.#spareMax) this.#spare.push(buffer)
  }
}
