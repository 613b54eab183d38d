/** Bytes of a stream, to be taken in other sizes than they come in. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>
  #left: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.#pieces = stream[Symbol.asyncIterator]()
  }

  /** The next `size` bytes; undefined when the stream ends before them. One call at a time. */
  async take(size: number): Promise<Buffer | undefined> {
    const pieces = [this.#left]
    let have = this.#left.length
    while (have < size) {
      const { value, done } = await this.#pieces.next()
      if (done === true) return undefined
      pieces.push(value)
      have += value.length
    }
    const all = pieces.length === 1 ? this.#left : Buffer.concat(pieces, have)
    this.#left = all.subarray(size)
    return all.subarray(0, size)
  }
}
