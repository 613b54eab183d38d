const firstBytes = 512

/** Bytes that come in pieces, held in one: of tiny pieces, each by itself would take a hundred times its size. */
export class GrowingBytes {
  #bytes = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  append(piece: Buffer): void {
    const needed = this.#length + piece.length
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(firstBytes, needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    piece.copy(this.#bytes, this.#length)
    this.#length = needed
  }

  /** All of them; holds none afterwards. */
  take(): Buffer {
    const all = this.#bytes.subarray(0, this.#length)
    this.#bytes = Buffer.alloc(0)
    this.#length = 0
    return all
  }
}
