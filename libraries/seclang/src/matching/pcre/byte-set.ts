/** A set of bytes 0–255: what one position of a pattern may hold. Immutable. */
export class ByteSet implements Iterable<number> {
  /** 32 bytes to a word, the lowest in bit 0. */
  readonly #words: Uint32Array
  #size = -1

  private constructor(words: Uint32Array) {
    this.#words = words
  }

  static where(isMember: (byte: number) => boolean): ByteSet {
    const words = new Uint32Array(wordCount)
    for (let byte = 0; byte < 256; byte++) if (isMember(byte)) addTo(words, byte)
    return new ByteSet(words)
  }

  /** The characters of a byte string; others are left out. */
  static of(characters: string): ByteSet {
    const words = new Uint32Array(wordCount)
    for (const character of characters) addTo(words, character.charCodeAt(0))
    return new ByteSet(words)
  }

  /** All bytes from `first` to `last`, both included. */
  static range(first: number, last: number): ByteSet {
    const words = new Uint32Array(wordCount)
    for (let byte = first; byte <= last; byte++) addTo(words, byte)
    return new ByteSet(words)
  }

  get size(): number {
    if (this.#size < 0) this.#size = this.#words.reduce((sum, word) => sum + bitsIn(word), 0)
    return this.#size
  }

  has(byte: number): boolean {
    return (((this.#words[byte >>> 5] ?? 0) >>> (byte & 31)) & 1) === 1
  }

  union(other: ByteSet): ByteSet {
    if (this === other || other.isEmpty) return this
    if (this.isEmpty) return other
    return new ByteSet(this.#words.map((word, at) => word | other.#wordAt(at)))
  }

  complement(): ByteSet {
    return new ByteSet(this.#words.map((word) => ~word))
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0)
  }

  intersects(other: ByteSet): boolean {
    return this.#words.some((word, at) => (word & other.#wordAt(at)) !== 0)
  }

  /** With the other case of every letter that it has. Letters are 0x41–0x5A and 0x61–0x7A: words 2 and 3, bits 1–26. */
  ignoringCase(): ByteSet {
    const words = this.#words.slice()
    const letters = (this.#wordAt(2) | this.#wordAt(3)) & 0x07fffffe
    words[2] = this.#wordAt(2) | letters
    words[3] = this.#wordAt(3) | letters
    return new ByteSet(words)
  }

  *[Symbol.iterator](): Iterator<number> {
    for (let at = 0; at < wordCount; at++) {
      for (let left = this.#wordAt(at); left !== 0; left &= left - 1) {
        yield (at << 5) + 31 - Math.clz32(left & -left)
      }
    }
  }

  #wordAt(at: number): number {
    return this.#words[at] ?? 0
  }
}

const wordCount = 8

/** How many bits of a word are set. */
function bitsIn(word: number): number {
  let bits = 0
  for (let left = word; left !== 0; left &= left - 1) bits++
  return bits
}

function addTo(words: Uint32Array, byte: number): void {
  const at = byte >>> 5
  words[at] = (words[at] ?? 0) | (1 << (byte & 31))
}

/** The sets that PCRE has names for, in its default (C) locale. */
export const byteSets = {
  all: ByteSet.range(0, 255),
  none: ByteSet.of(''),
  newline: ByteSet.of('\n'),
  digit: ByteSet.range(0x30, 0x39),
  /** `\s`: since PCRE 8.34 with the vertical tab; never the no-break space. */
  space: ByteSet.of('\t\n\v\f\r '),
  word: ByteSet.where((byte) => /[A-Za-z0-9_]/.test(String.fromCharCode(byte))),
  /** `\h` */
  horizontalSpace: ByteSet.of('\t \xa0'),
  /** `\v` */
  verticalSpace: ByteSet.of('\n\v\f\r\x85'),
} as const

const asciiSet = (members: RegExp) =>
  ByteSet.where((byte) => byte < 0x80 && members.test(String.fromCharCode(byte)))

/** POSIX classes by the name between `[:` and `:]`. */
export const posixClasses: ReadonlyMap<string, ByteSet> = new Map([
  ['alpha', asciiSet(/[A-Za-z]/)],
  ['lower', asciiSet(/[a-z]/)],
  ['upper', asciiSet(/[A-Z]/)],
  ['alnum', asciiSet(/[A-Za-z0-9]/)],
  ['ascii', ByteSet.range(0, 0x7f)],
  ['blank', ByteSet.of('\t ')],
  ['cntrl', ByteSet.where((byte) => byte < 0x20 || byte === 0x7f)],
  ['digit', byteSets.digit],
  ['graph', ByteSet.range(0x21, 0x7e)],
  ['print', ByteSet.range(0x20, 0x7e)],
  ['punct', asciiSet(/[!-/:-@[-`{-~]/)],
  ['space', byteSets.space],
  ['word', byteSets.word],
  ['xdigit', asciiSet(/[0-9A-Fa-f]/)],
])
