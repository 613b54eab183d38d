/** How the bytes of a body are characters. `bytes` is for all encodings in which digits and letters are as in ASCII, UTF-8 among them. */
export type TextEncoding = 'bytes' | 'utf-16le' | 'utf-16be'

/** So many bytes tell the encoding, where they are there. */
export const encodingBytes = 4

/** So many bytes tell whether a body is text. */
export const textBytes = 512

/** The control characters that texts have: tab, line feed, form feed, carriage return and escape (WHATWG, MIME Sniffing, section 3). */
const controlsOfTexts: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])

const littleEndian = /^(?:utf-?16(?:le)?|ucs-2|iso-10646-ucs-2|csunicode|unicode|unicodefeff)$/

const bigEndian = /^(?:utf-?16be|unicodefffe)$/

/**
 * The encoding of a text, as browsers see it: what it begins with counts for more than what its header says (WHATWG, Encoding, section 6). UTF-16
 * without a mark is known by the zeros between its first characters.
 *
 * @param first the first bytes, `encodingBytes` or more where there are as many @param charset in lower case; may be empty
 */
export function encodingOf(first: Buffer, charset: string): TextEncoding {
  const [one, two, three, four] = first
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  if (one === 0xfe && two === 0xff) return 'utf-16be'
  if (one === 0xef && two === 0xbb && three === 0xbf) return 'bytes'
  if (one && two === 0 && three && four === 0) return 'utf-16le'
  if (one === 0 && two && three === 0 && four) return 'utf-16be'
  if (bigEndian.test(charset)) return 'utf-16be'
  return littleEndian.test(charset) ? 'utf-16le' : 'bytes'
}

/** Whether a body is text, by its first bytes: `textBytes` or more where there are as many. */
export function looksLikeText(first: Buffer): boolean {
  if (encodingOf(first, '') !== 'bytes') return true
  return first.subarray(0, textBytes).every((byte) => byte >= 0x20 || controlsOfTexts.has(byte))
}

/** Makes characters of bytes and the same bytes of the same characters, whatever their pieces. */
export class TextCodec {
  readonly #encoding: TextEncoding
  /** Half a character. */
  #rest: Buffer = Buffer.alloc(0)

  constructor(encoding: TextEncoding) {
    this.#encoding = encoding
  }

  decode(chunk: Buffer): string {
    if (this.#encoding === 'bytes') return chunk.toString('latin1')
    const bytes = Buffer.concat([this.#rest, chunk])
    const whole = bytes.length - (bytes.length % 2)
    this.#rest = bytes.subarray(whole)
    const pairs = bytes.subarray(0, whole)
    return (this.#encoding === 'utf-16be' ? pairs.swap16() : pairs).toString('utf16le')
  }

  encode(text: string): Buffer {
    if (this.#encoding === 'bytes') return Buffer.from(text, 'latin1')
    const bytes = Buffer.from(text, 'utf16le')
    return this.#encoding === 'utf-16be' ? bytes.swap16() : bytes
  }

  /** What is no whole character at the end. */
  get rest(): Buffer {
    return this.#rest
  }
}
