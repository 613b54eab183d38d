/** Behind blanks and line ends, so much is looked at: longer words are no methods that a server knows. */
const lookedAtBytes = 65

/** What servers take for a blank between the words of a request line. */
const blank = String.raw`\t\v\f \xa0\x1c-\x1f\x85`

/** A token and a blank, as request lines begin (RFC 9112, section 3). */
const requestLine = new RegExp(String.raw`^[!#$%&'*+\-.^_\x60|~0-9A-Za-z]{1,64}(?:[${blank}]|\r(?!\n))`)

/** By bytes: whether lenient servers overlook them before a request line, however many there are. */
const areOverlooked = Array.from({ length: 256 }, (_, byte) =>
  new RegExp(`[${blank}\\r\\n]`).test(String.fromCharCode(byte)),
)

/**
 * Looks at the beginning of a body, in however many pieces it comes: whether a server that answers without reading it, and then reads on, would
 * take it for the next request. Its answer to that would be given to whoever gets the connection next, and nobody has judged it.
 */
export class RequestInBody {
  #beginning = ''

  /**
   * Adds a piece of a body that has a length: what goes in chunks begins with the size of a chunk.
   *
   * @returns whether it begins like a request, as far as it has come
   */
  look(piece: Uint8Array): boolean {
    let from = 0
    if (this.#beginning === '') while (areOverlooked[piece[from] ?? 0]) from++
    if (this.#beginning.length < lookedAtBytes)
      this.#beginning += Buffer.from(piece.subarray(from, from + lookedAtBytes)).toString('latin1')
    return requestLine.test(this.#beginning)
  }
}
