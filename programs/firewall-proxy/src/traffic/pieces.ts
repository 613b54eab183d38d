import { GrowingBytes } from './growing-bytes.ts'

/** Pieces shorter than this, in bytes, are put together as they come. */
const shortBytes = 1024

/** What comes in pieces, in its order. It may come byte by byte: to hold or to send each by itself would cost a hundred times as much. */
export class Pieces {
  readonly #pieces: Buffer[] = []
  readonly #short = new GrowingBytes()
  #length = 0

  /** In bytes. */
  get length(): number {
    return this.#length
  }

  add(piece: Buffer): void {
    this.#length += piece.length
    if (piece.length < shortBytes) this.#short.append(piece)
    else {
      this.#endShort()
      this.#pieces.push(piece)
    }
  }

  /** All of them in one; holds none afterwards. */
  take(): Buffer {
    this.#endShort()
    const [first] = this.#pieces
    const all = first !== undefined && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces)
    this.#pieces.length = 0
    this.#length = 0
    return all
  }

  #endShort(): void {
    if (this.#short.length > 0) this.#pieces.push(this.#short.take())
  }
}
