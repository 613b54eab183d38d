import type { BodyFilter } from '../../exchange/answer.ts'

/** Replaces a text wherever it occurs in a body, also where pieces of the body meet. Upper and lower case differ. */
export class TextReplacement implements BodyFilter {
  readonly #search: Buffer
  readonly #replacement: Buffer
  #rest: Buffer = Buffer.alloc(0)

  /** @param search not empty */
  constructor(search: string, replacement: string) {
    this.#search = Buffer.from(search)
    this.#replacement = Buffer.from(replacement)
  }

  transform(chunk: Buffer): Buffer {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const pieces: Buffer[] = []
    let copiedTo = 0
    for (let at = bytes.indexOf(this.#search); at >= 0; at = bytes.indexOf(this.#search, copiedTo)) {
      pieces.push(bytes.subarray(copiedTo, at), this.#replacement)
      copiedTo = at + this.#search.length
    }
    const end = bytes.length - this.#beginningAtEnd(bytes, copiedTo)
    this.#rest = bytes.subarray(end)
    if (copiedTo === 0) return bytes.subarray(0, end)
    pieces.push(bytes.subarray(copiedTo, end))
    return Buffer.concat(pieces)
  }

  flush(): Buffer {
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    return rest
  }

  /** How many bytes at the end may be the beginning of the text. */
  #beginningAtEnd(bytes: Buffer, from: number): number {
    const longest = Math.min(this.#search.length - 1, bytes.length - from)
    for (let length = longest; length > 0; length--) {
      if (bytes.subarray(bytes.length - length).equals(this.#search.subarray(0, length))) return length
    }
    return 0
  }
}
