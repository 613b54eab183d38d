const slash = 0x2f
const dot = 0x2e
const backslash = 0x5c

/** `/./`, `//` and `/name/../` go. A backslash is an ordinary character. */
export function normalisePath(value: string): string {
  return isNormal(value) ? value : new PathNormaliser(value, false).run()
}

/** The same with backslashes read as slashes, and written so. */
export function normalisePathWin(value: string): string {
  return isNormal(value) && !value.includes('\\') ? value : new PathNormaliser(value, true).run()
}

/** Whether no segment ends with a dot, which only then may refer to another one, and no slash follows another. */
function isNormal(value: string): boolean {
  return !/\/\/|\.\/|\.$/.test(value)
}

/**
 * Moves through the path byte by byte and writes what stays over what has been read. At the end of every segment it
 * looks at the last bytes written, not at the whole segment; so `name..` is a reference to the parent too, and takes
 * itself away. And a backslash after several others in a row may be passed over. This is how ModSecurity has it.
 */
class PathNormaliser {
  readonly #bytes: Buffer
  readonly #last: number
  readonly #isRelative: boolean
  readonly #withBackslashes: boolean
  #source = 0
  #target = 0
  /** A relative path has gone above where it began; what refers to a parent now stays. */
  #hitRoot = false

  constructor(path: string, withBackslashes: boolean) {
    this.#bytes = Buffer.from(path, 'latin1')
    this.#last = this.#bytes.length - 1
    this.#withBackslashes = withBackslashes
    this.#isRelative = !this.#isSlash(0)
  }

  run(): string {
    const hasTrailingSlash = this.#isSlash(this.#last)
    let isDone = false
    while (!isDone && this.#source <= this.#last && this.#target <= this.#last) {
      this.#turnSlash(this.#source)
      this.#turnSlash(this.#source + 1)
      isDone = this.#source === this.#last
      if (this.#endsSegment() && this.#takesSegmentBack(isDone)) {
        if (isDone) break
        this.#source++
      }
      this.#copy()
    }
    const end = this.#target
    const dropsSlash = !hasTrailingSlash && end > 0 && this.#bytes[end - 1] === slash
    return this.#bytes.toString('latin1', 0, dropsSlash ? end - 1 : end)
  }

  #isSlash(at: number): boolean {
    const byte = this.#bytes[at]
    return byte === slash || (this.#withBackslashes && byte === backslash)
  }

  #turnSlash(at: number): void {
    if (this.#isSlash(at)) this.#bytes[at] = slash
  }

  #endsSegment(): boolean {
    return this.#source === this.#last || this.#bytes[this.#source + 1] === slash
  }

  /** Whether the byte at the source ends a reference to the parent or to the segment itself that now is gone. */
  #takesSegmentBack(isDone: boolean): boolean {
    const byte = this.#bytes[this.#source]
    if (byte === slash && !isDone) return false
    if (byte !== dot) {
      if (this.#target > 0) this.#hitRoot = false
      return false
    }
    const before = this.#target > 0 ? this.#bytes[this.#target - 1] : undefined
    if (before === dot) return this.#takesParentBack(isDone)
    if (before === undefined) return true
    if (before !== slash) return false
    if (!isDone) this.#target--
    return true
  }

  #takesParentBack(isDone: boolean): boolean {
    if (this.#isRelative && (this.#hitRoot || this.#target <= 2)) {
      this.#hitRoot = true
      return false
    }
    this.#target -= 3
    while (this.#target > 0 && this.#bytes[this.#target] !== slash) this.#target--
    if (this.#target <= 0) {
      this.#hitRoot = true
      this.#target = !this.#isRelative && isDone ? 1 : 0
    }
    return true
  }

  /** One byte; of several slashes the last. A relative path does not begin with one. */
  #copy(): void {
    if (this.#bytes[this.#source] === slash) {
      while (this.#source < this.#last && this.#isSlash(this.#source + 1)) this.#source++
      if (this.#isRelative && this.#target === 0) {
        this.#source++
        return
      }
    }
    this.#bytes[this.#target++] = this.#bytes[this.#source++] ?? 0
  }
}
