import { beginningInUtf8, utf8ByteString } from './utf8.ts'

/** A string, number, true, false or null of a document. */
export type JsonScalarKind = 'string' | 'number' | 'boolean' | 'null'

/** Why a text is no JSON document. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
}

const blanks = /[ \t\r\n]*/y
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids control characters in strings.
const plainCharacters = /[^"\\\0-\x1f]*/y

const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Reads the tokens of a JSON document (RFC 8259) and gives strings as byte strings in UTF-8. It fails at bytes that are no UTF-8. */
export class JsonReader {
  /** As far as it is UTF-8. */
  readonly #text: string
  readonly #hasInvalidBytes: boolean
  #at = 0

  constructor(text: string) {
    this.#text = beginningInUtf8(text)
    this.#hasInvalidBytes = this.#text.length < text.length
    this.#skipBlanks()
  }

  /** Goes over `token` if it comes next, and the blanks after it. */
  takeIf(token: string): boolean {
    if (this.#text[this.#at] !== token) return false
    this.#at++
    this.#skipBlanks()
    return true
  }

  /** @throws {JsonSyntaxError} when something else than `token` comes next */
  expect(token: string): void {
    if (!this.takeIf(token)) throw this.#failure(`${token} expected`)
  }

  /** @throws {JsonSyntaxError} when something follows the document */
  expectEnd(): void {
    if (this.#at < this.#text.length || this.#hasInvalidBytes) throw this.#failure('trailing bytes')
  }

  /** What {@link scalar} is about to read, by its first character. */
  scalarKind(): JsonScalarKind {
    const first = this.#text[this.#at]
    if (first === '"') return 'string'
    if (first === 'n') return 'null'
    return first === 't' || first === 'f' ? 'boolean' : 'number'
  }

  /** A string, number or literal as text; null is empty. */
  scalar(): string {
    if (this.#text[this.#at] === '"') return this.string()
    const literal = this.#match(word)
    if (literal === '') throw this.#failure('a value was expected')
    this.#skipBlanks()
    return literal === 'null' ? '' : literal
  }

  /** A string, decoded. */
  string(): string {
    if (this.#text[this.#at] !== '"') throw this.#failure('a string was expected')
    this.#at++
    let value = this.#match(plainCharacters)
    while (this.#text[this.#at] === '\\') value += this.#escape() + this.#match(plainCharacters)
    if (this.#text[this.#at] !== '"') throw this.#failure('a string is not closed')
    this.#at++
    this.#skipBlanks()
    return value
  }

  /** One escape, or two that are the halves of a character beyond U+FFFF. */
  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? ''
    const simple = simpleEscapes[letter]
    if (simple !== undefined) {
      this.#at += 2
      return simple
    }
    const units = this.#match(/(?:\\u[dD][89abAB][0-9a-fA-F]{2})?\\u[0-9a-fA-F]{4}/y)
    if (units === '') throw this.#failure('an invalid escape')
    const decoded = units.replace(/\\u(....)/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    return utf8ByteString(decoded)
  }

  #failure(what: string): JsonSyntaxError {
    const isAtInvalidBytes = this.#hasInvalidBytes && this.#at === this.#text.length
    return new JsonSyntaxError(
      isAtInvalidBytes ? 'invalid bytes in UTF-8 text' : `${what} at byte ${this.#at}`,
    )
  }

  #skipBlanks(): void {
    this.#pass(blanks)
  }

  #match(pattern: RegExp): string {
    const start = this.#at
    this.#pass(pattern)
    return this.#text.slice(start, this.#at)
  }

  /** Goes over what a sticky pattern matches. */
  #pass(pattern: RegExp): void {
    pattern.lastIndex = this.#at
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex
  }
}
