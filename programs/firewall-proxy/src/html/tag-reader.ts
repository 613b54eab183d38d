/** An attribute of a tag; places are counted from the "<". */
export interface TagAttribute {
  /** In lower case. */
  readonly name: string
  readonly valueStart: number
  readonly valueEnd: number
  /** What stands around the value. */
  readonly quote: '"' | "'" | ''
  /** Whether it has no value, and no "=" either. */
  readonly isBare: boolean
}

/** A start tag as it came. */
export interface StartTag {
  /** In lower case. */
  readonly name: string
  readonly attributes: readonly TagAttribute[]
  /** What the tag is in, and where its "<" stands there. */
  readonly text: string
  readonly start: number
}

/** Where in a tag the reader is (HTML standard, sections 13.2.5.8 and 13.2.5.32 to 13.2.5.40). */
const State = {
  name: 0,
  beforeAttribute: 1,
  attribute: 2,
  afterAttribute: 3,
  beforeValue: 4,
  doubleQuoted: 5,
  singleQuoted: 6,
  unquoted: 7,
  afterValue: 8,
  slash: 9,
} as const

const [quotationMark, apostrophe, slash, equals, greaterThan] = [0x22, 0x27, 0x2f, 0x3d, 0x3e]

/**
 * Reads a tag as browsers do, in as many pieces as it comes. The text that is given must begin with the same "<" each time,
 * unless nobody wants to know the places of the attributes any more.
 */
export class TagReader {
  /** In lower case. */
  name = ''
  isEndTag = false
  isSelfClosing = false
  attributes: TagAttribute[] = []
  #state: number = State.name
  #offset = 0
  #nameStart = 0
  #nameEnd = 0
  #valueStart = 0

  /** Starts anew. */
  begin(isEndTag: boolean): void {
    this.name = ''
    this.isEndTag = isEndTag
    this.isSelfClosing = false
    this.attributes = []
    this.#state = State.name
    this.#offset = isEndTag ? 2 : 1
    this.#nameStart = this.#offset
  }

  /** From now on texts begin behind what was read; attributes get no places. */
  forgetPlaces(): void {
    this.#offset = 0
    this.attributes = []
  }

  /**
   * Reads on.
   *
   * @param start where the "<" is
   * @returns where the tag has ended, behind its ">"; -1 while it has not
   */
  read(text: string, start: number): number {
    const end = text.length
    let state = this.#state
    let at = start + this.#offset
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      switch (state) {
        case State.name:
          if (code > greaterThan || (code !== greaterThan && code !== slash && !isBlank(code))) continue
          this.name = text.slice(start + this.#nameStart, at).toLowerCase()
          state = State.beforeAttribute
          break
        case State.attribute:
          if (code > greaterThan) continue
          if (code === equals) {
            this.#nameEnd = at - start
            state = State.beforeValue
            continue
          }
          if (code !== greaterThan && code !== slash && !isBlank(code)) continue
          this.#nameEnd = at - start
          state = State.afterAttribute
          break
        case State.doubleQuoted:
        case State.singleQuoted: {
          const quote = state === State.doubleQuoted ? '"' : "'"
          const close = text.indexOf(quote, at)
          if (close < 0) at = end - 1
          else {
            this.#push(text, start, close, quote)
            at = close
            state = State.afterValue
          }
          continue
        }
        case State.unquoted:
          if (code !== greaterThan && !isBlank(code)) continue
          this.#push(text, start, at, '')
          state = State.beforeAttribute
          break
        case State.beforeValue:
          if (isBlank(code)) continue
          if (code === quotationMark || code === apostrophe) {
            this.#valueStart = at + 1 - start
            state = code === quotationMark ? State.doubleQuoted : State.singleQuoted
            continue
          }
          if (code !== greaterThan) {
            this.#valueStart = at - start
            state = State.unquoted
            continue
          }
          this.#valueStart = at - start
          this.#push(text, start, at, '')
          state = State.beforeAttribute
          break
        default:
      }
      // What is left are the places between attributes, where every character decides anew.
      if (state === State.afterAttribute) {
        if (isBlank(code)) continue
        if (code === equals) {
          state = State.beforeValue
          continue
        }
        this.#push(text, start, -1, '')
        state = State.beforeAttribute
      }
      if (code === greaterThan) {
        this.isSelfClosing = state === State.slash
        this.#state = state
        return at + 1
      }
      if (code === slash) state = State.slash
      else if (isBlank(code)) state = State.beforeAttribute
      else {
        this.#nameStart = at - start
        state = State.attribute
      }
    }
    this.#state = state
    this.#offset = at - start
    return -1
  }

  /** @param valueEnd in the text; -1 for an attribute without a value */
  #push(text: string, start: number, valueEnd: number, quote: TagAttribute['quote']): void {
    if (this.isEndTag) return
    const name = text.slice(start + this.#nameStart, start + this.#nameEnd).toLowerCase()
    const isBare = valueEnd < 0
    const end = isBare ? this.#nameEnd : valueEnd - start
    const valueStart = isBare ? end : this.#valueStart
    this.attributes.push({ name, valueStart, valueEnd: end, quote, isBare })
  }
}

/** Tab, line feed, form feed, carriage return or space. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code <= 0x0d && code >= 0x09 && code !== 0x0b)
}
