const wordCount = 8

/** Those that {@link ByteSet.only} has made, by their byte. */
const onlySets: (ByteSet | undefined)[] = []

/** A set of bytes 0–255: what one position of a pattern may hold. Immutable. */
export class ByteSet implements Iterable<number> {
  /** 32 bytes to a word, the lowest in bit 0. */
  readonly #words: Uint32Array
  #size = -1
  // Patterns ask the same sets for them again and again.
  #folded: ByteSet | undefined
  #complement: ByteSet | undefined

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
    if (characters.length === 1) return ByteSet.only(characters.charCodeAt(0))
    const words = new Uint32Array(wordCount)
    for (const character of characters) addTo(words, character.charCodeAt(0))
    return new ByteSet(words)
  }

  /** Most of the sets in a pattern have one byte. */
  static only(byte: number): ByteSet {
    let set = onlySets[byte]
    if (set === undefined) {
      const words = new Uint32Array(wordCount)
      addTo(words, byte)
      set = new ByteSet(words)
      if (byte < 256) onlySets[byte] = set
    }
    return set
  }

  /** All bytes from `first` to `last`, both included. */
  static range(first: number, last: number): ByteSet {
    return ByteSet.joined([[first, last]])
  }

  /** All bytes of several sets, and of ranges with both ends. */
  static joined(members: Iterable<ByteSet | readonly [first: number, last: number]>): ByteSet {
    const words = new Uint32Array(wordCount)
    for (const member of members) {
      if (member instanceof ByteSet) {
        for (let at = 0; at < wordCount; at++) words[at] = (words[at] ?? 0) | member.#wordAt(at)
      } else for (let byte = member[0]; byte <= member[1]; byte++) addTo(words, byte)
    }
    return new ByteSet(words)
  }

  get size(): number {
    if (this.#size < 0) {
      this.#size = 0
      for (let at = 0; at < wordCount; at++) this.#size += bitsIn(this.#wordAt(at))
    }
    return this.#size
  }

  has(byte: number): boolean {
    return (((this.#words[byte >>> 5] ?? 0) >>> (byte & 31)) & 1) === 1
  }

  union(other: ByteSet): ByteSet {
    if (this === other || other.isEmpty) return this
    if (this.isEmpty) return other
    const words = this.#words.slice()
    for (let at = 0; at < wordCount; at++) words[at] = this.#wordAt(at) | other.#wordAt(at)
    return new ByteSet(words)
  }

  complement(): ByteSet {
    this.#complement ??= new ByteSet(this.#words.map((word) => ~word))
    return this.#complement
  }

  get isEmpty(): boolean {
    for (let at = 0; at < wordCount; at++) if (this.#wordAt(at) !== 0) return false
    return true
  }

  intersects(other: ByteSet): boolean {
    for (let at = 0; at < wordCount; at++) if ((this.#wordAt(at) & other.#wordAt(at)) !== 0) return true
    return false
  }

  /** With the other case of every letter that it has. Letters are 0x41–0x5A and 0x61–0x7A: words 2 and 3, bits 1–26. */
  ignoringCase(): ByteSet {
    if (this.#folded === undefined) {
      const words = this.#words.slice()
      const letters = (this.#wordAt(2) | this.#wordAt(3)) & 0x07fffffe
      words[2] = this.#wordAt(2) | letters
      words[3] = this.#wordAt(3) | letters
      this.#folded = new ByteSet(words)
    }
    return this.#folded
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
