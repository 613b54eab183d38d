/**
 * Reads an argument of `@pm` or `@strmatch`, or a line of a file of phrases, as ModSecurity does: without the quotes
 * around it, with bytes as hexadecimal digits between bars (`|0d 0a|`), and `\:`, `\;`, `\\` and `\"`.
 *
 * @returns undefined where another escape makes ModSecurity take the text as it stands
 */
export function readContent(text: string): string | undefined {
  const trimmed = text.replace(/^[\t-\r ]+/, '')
  const content = /^".*"$/s.test(trimmed) && trimmed.length > 1 ? trimmed.slice(1, -1) : trimmed
  if (content === '') return undefined
  return /[|\\]/.test(content) ? new ContentReader(content).read() : content
}

class ContentReader {
  readonly #content: string
  #result = ''
  #digits = ''
  #isConverted = false

  constructor(content: string) {
    this.#content = content
  }

  read(): string | undefined {
    let isBinary = false
    let isEscaped = false
    for (const character of this.#content) {
      if (character === '|') isBinary = !isBinary
      else if (character === '\\' && !isEscaped) isEscaped = true
      else if (isBinary) this.#readDigit(character)
      else if (isEscaped && !':;\\"'.includes(character)) return undefined
      else {
        this.#isConverted ||= isEscaped
        isEscaped = false
        this.#result += character
      }
    }
    return this.#finish()
  }

  #readDigit(character: string): void {
    if (!/[0-9A-Fa-f]/.test(character)) return
    this.#digits += character
    if (this.#digits.length < 2) return
    this.#result += String.fromCharCode(Number.parseInt(this.#digits, 16))
    this.#digits = ''
    this.#isConverted = true
  }

  /** Where nothing was converted the text keeps its length: bars that were left out leave the last characters twice. */
  #finish(): string {
    return this.#isConverted ? this.#result : this.#result + this.#content.slice(this.#result.length)
  }
}
