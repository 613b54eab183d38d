/**
 * Buffers for uploaded chunks, used again and again: a new one for every chunk would have to be cleared by the
 * system and collected as garbage, which cost more than everything else that is done with a chunk.
 */
export class ChunkBuffers {
  readonly sizeBytes: number
  readonly #spare: Buffer[] = []
  readonly #spareMax: number

  constructor(sizeBytes: number, spareMax: number) {
    this.sizeBytes = sizeBytes
    this.#spareMax = spareMax
  }

  take(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.sizeBytes)
  }

  give(buffer: Buffer): void {
    if (this.#spare.length < this.#spareMax) this.#spare.push(buffer)
  }
}
