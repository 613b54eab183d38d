/** Reads a stream in pieces of the sizes that are asked for. */
export class ForwardReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  /** How many bytes have been read. */
  position = 0

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** Fills the target with the next bytes; false when the stream ends before. */
  async fill(target: Buffer): Promise<boolean> {
    let filled = 0
    while (filled < target.length) {
      if (!(await this.#hasMore())) return false
      const size = this.#rest.copy(target, filled)
      this.#rest = this.#rest.subarray(size)
      this.position += size
      filled += size
    }
    return true
  }

  async isAtEnd(): Promise<boolean> {
    return !(await this.#hasMore())
  }

  async #hasMore(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next()
      if (next.done === true) return false
      this.#rest = next.value
    }
    return true
  }
}
