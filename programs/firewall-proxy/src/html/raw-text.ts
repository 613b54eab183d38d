/** Elements whose content is text up to their end tag, whatever else it looks like (HTML standard, section 13.2.6.4). */
export const rawTextElements: ReadonlySet<string> = new Set([
  'script',
  'style',
  'title',
  'textarea',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
])

/** Where raw text ends. */
export interface RawTextEnd {
  /** Up to where the text is decided. */
  readonly at: number
  /** Whether the end tag begins there; otherwise it may begin there once more has come. */
  readonly isEndTag: boolean
}

/** Finds the end of raw text, which may come in pieces. */
export class RawText {
  readonly name: string
  readonly #endTag: RegExp
  /** How deep in a comment of a script it is: 0 not, 1 in the comment, 2 in a script inside it. */
  #depth = 0

  /** @param name of the element, in lower case */
  constructor(name: string) {
    this.name = name
    this.#endTag =
      name === 'script'
        ? /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi
        : new RegExp(`<(/)${name}(?=[\\t\\n\\f\\r />])`, 'gi')
  }

  /** @param from where text begins that was not seen yet */
  end(text: string, from: number): RawTextEnd {
    this.#endTag.lastIndex = from
    for (let match = this.#endTag.exec(text); match; match = this.#endTag.exec(text)) {
      if (this.#isEnd(match)) return { at: match.index, isEndTag: true }
    }
    return { at: Math.max(from, cutAt(text, this.name)), isEndTag: false }
  }

  /** Follows the comments of scripts (HTML standard, sections 13.2.5.15 to 13.2.5.31). */
  #isEnd(match: RegExpExecArray): boolean {
    const [sign, isEndTag] = match
    if (this.name !== 'script') return true
    if (sign === '-->') this.#depth = 0
    else if (sign === '<!--') {
      if (this.#depth === 0) this.#depth = 1
      // "<!-->" is a whole comment.
      this.#endTag.lastIndex -= 2
    } else if (isEndTag === '/') {
      if (this.#depth < 2) return true
      this.#depth = 1
    } else if (this.#depth === 1) this.#depth = 2
    return false
  }
}

/** Where something begins, at the end of the text, that may become a sign. */
function cutAt(text: string, name: string): number {
  const longest = name.length + '</'.length
  const tail = text.slice(-longest).toLowerCase()
  for (let index = 0; index < tail.length; index++) {
    const piece = tail.slice(index)
    if ([`</${name}`, `<${name}`, '<!--', '-->'].some((sign) => sign.startsWith(piece))) {
      return text.length - piece.length
    }
  }
  return text.length
}
