import { SyntaxFailure } from './syntax-failure.ts'

/** A place in the text of a pattern that moves forward. */
export class Reader {
  readonly #text: string
  #offset = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#text.length
  }

  /** The next character, or the empty string at the end. */
  peek(): string {
    return this.#text.charAt(this.#offset)
  }

  /** Whether one of some characters comes next. */
  isAtOneOf(characters: string): boolean {
    return !this.isAtEnd && characters.includes(this.#text.charAt(this.#offset))
  }

  /** Takes the next character. */
  next(): string {
    if (this.isAtEnd) this.fail('the pattern ends too early')
    return this.#text.charAt(this.#offset++)
  }

  /** Takes `text` if it comes next. */
  take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#offset)) return false
    this.#offset += text.length
    return true
  }

  /**
   * Takes what a sticky expression finds here.
   *
   * @param expression with the flag `y`
   */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#offset
    const match = expression.exec(this.#text)
    if (match) this.#offset = expression.lastIndex
    return match
  }

  /** Takes everything before `end`, and `end` itself; everything that is left where there is no `end`. */
  takeUntil(end: string): { readonly text: string; readonly found: boolean } {
    const at = this.#text.indexOf(end, this.#offset)
    const text = this.#text.slice(this.#offset, at < 0 ? undefined : at)
    this.#offset += text.length + (at < 0 ? 0 : end.length)
    return { text, found: at >= 0 }
  }

  fail(reason: string): never {
    throw new SyntaxFailure(`${reason} at offset ${this.#offset}`)
  }
}
