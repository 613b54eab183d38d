import { malformedAnswer, readFields } from './answer-head.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** `chunk-size [ chunk-ext ]` (RFC 9112, section 7.1), with its CR. */
const sizeLine = /^([0-9A-Fa-f]{1,13})(?:[\t ]*;[\t\x20-\x7e\x80-\xff]*)?\r$/

/** A line with a size; extensions are for nobody. */
const sizeLineMax = 4 * 1024

/** Trailers altogether. */
const trailersMax = 16 * 1024

/** Told the body of a message, piece by piece. */
export interface BodyEvents {
  /** Whether nobody waits for the message any more; asked after each piece. */
  isOver(): boolean
  /** @param isLast whether it is known that the body ends with it */
  onData(bytes: Buffer, isLast: boolean): void
}

/** Takes chunks apart (RFC 9112, section 7.1), however they are cut on their way. */
export class ChunkedBody {
  #state: 'size' | 'data' | 'data-cr' | 'data-lf' | 'trailers' = 'size'
  /** Of the chunk that is being read. */
  #left = 0
  /** A line of which the end has not come. */
  #line = ''
  #trailers = ''

  /**
   * Reads on.
   *
   * @param from where in the bytes
   * @param events told each piece of the body, until that is over
   * @returns where the body has ended in the bytes; -1 when it goes on, or was stopped
   * @throws errors.HTTPParserError for what is not so written
   */
  read(bytes: Buffer, from: number, events: BodyEvents): number {
    let at = from
    while (at < bytes.length) {
      if (this.#state === 'data') {
        const end = Math.min(bytes.length, at + this.#left)
        this.#left -= end - at
        if (this.#left === 0) this.#state = 'data-cr'
        events.onData(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end), false)
        if (events.isOver()) return -1
        at = end
      } else if (this.#state === 'data-cr' || this.#state === 'data-lf') {
        const expected = this.#state === 'data-cr' ? carriageReturn : lineFeed
        if (bytes[at++] !== expected) throw malformedAnswer('A chunk is longer than it says.')
        this.#state = this.#state === 'data-cr' ? 'data-lf' : 'size'
      } else {
        const end = bytes.indexOf(lineFeed, at)
        this.#line += bytes.toString('latin1', at, end < 0 ? bytes.length : end)
        if (this.#line.length > (this.#state === 'size' ? sizeLineMax : trailersMax)) {
          throw malformedAnswer('A line between chunks is too long.')
        }
        if (end < 0) return -1
        at = end + 1
        const line = this.#line
        this.#line = ''
        if (this.#state === 'size') this.#beginChunk(line)
        else if (line === '\r') return at
        else this.#addTrailer(line)
      }
    }
    return -1
  }

  /** What came behind the last chunk: names and values in turn. @throws errors.HTTPParserError */
  get trailers(): readonly string[] {
    return this.#trailers === '' ? [] : readFields(this.#trailers, 0)
  }

  #beginChunk(line: string): void {
    const [, size] = sizeLine.exec(line) ?? []
    if (size === undefined) throw malformedAnswer('The size of a chunk is no number.')
    this.#left = Number.parseInt(size, 16)
    if (!Number.isSafeInteger(this.#left)) throw malformedAnswer('A chunk is too long.')
    this.#state = this.#left === 0 ? 'trailers' : 'data'
  }

  #addTrailer(line: string): void {
    this.#trailers += `${line}\n`
    if (this.#trailers.length > trailersMax) throw malformedAnswer('Its trailers are too long.')
  }
}
