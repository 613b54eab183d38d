import type { BodyFilter } from '../exchange/answer.ts'
import type { Links } from './links.ts'
import { Namespaces } from './namespaces.ts'
import { RawText, rawTextElements } from './raw-text.ts'
import { StyleLinks } from './style-links.ts'
import { TagLinks } from './tag-links.ts'
import { TagReader } from './tag-reader.ts'

/** A tag of more bytes passes as it is. */
const tagLimit = 256 * 1024

/** Documents in attributes of documents, this deep. */
const nestingMax = 3

/** What the reader stands in. */
type Mode = 'text' | 'tag' | 'comment' | 'declaration' | 'cdata' | 'raw' | 'plaintext'

/**
 * The links of an HTML document, replaced while it passes. It is read as browsers read it (HTML standard, section 13.2.5):
 *
 *     text ──"<" letter──► tag ──► text, or raw text up to its end tag: script, style, title, textarea …
 *          ──"<!--"──► comment     ──"<!", "<?", "</" other──► up to ">"
 *
 * What is not replaced passes byte by byte as it came. Of a piece only what cannot be decided yet is kept back: a tag that has
 * not ended, or a few characters that may begin something. `noscript` is read as text, since it is meant for those who read it
 * so.
 *
 * Bytes are read as latin1: every encoding that extends ASCII reads the same. UTF-16 is not to be given to it.
 */
export class HtmlLinks implements BodyFilter {
  readonly #links: Links
  readonly #isXml: boolean
  readonly #depth: number
  readonly #tag = new TagReader()
  readonly #tagLinks: TagLinks
  readonly #namespaces = new Namespaces()
  #mode: Mode = 'text'
  #raw: RawText | undefined
  #style: StyleLinks | undefined
  /** What came and was not decided. */
  #rest = ''
  #isTagTooLong = false
  #out = ''
  /** How many characters of the present text are in `#out` already. */
  #copied = 0

  /** @param options `isXml` for XHTML, which knows no raw text; `depth` for in how many documents this one is */
  constructor(links: Links, { isXml = false, depth = 0 }: { isXml?: boolean; depth?: number } = {}) {
    this.#links = links
    this.#tagLinks = new TagLinks(links, (document) => this.#inDocument(document))
    this.#isXml = isXml
    this.#depth = depth
  }

  transform(chunk: Buffer): Buffer {
    const text = chunk.toString('latin1')
    const replaced = this.write(text)
    return replaced === text ? chunk : Buffer.from(replaced, 'latin1')
  }

  flush(): Buffer {
    return Buffer.from(this.end(), 'latin1')
  }

  /** As `transform`, with byte strings. */
  write(piece: string): string {
    const text = this.#rest + piece
    this.#out = ''
    this.#copied = 0
    let at = 0
    while (at >= 0 && at < text.length) at = this.#step(text, at)
    const decided = at < 0 ? -1 - at : text.length
    this.#rest = text.slice(decided)
    this.#copyUpTo(text, decided)
    if (this.#mode === 'tag' && this.#rest.length > tagLimit) this.#giveTagUp()
    return this.#out
  }

  /** As `flush`, with byte strings. */
  end(): string {
    const rest = this.#rest
    this.#rest = ''
    if (this.#style === undefined) return rest + (this.#mode === 'text' ? (this.#links.end?.() ?? '') : '')
    return this.#style.transform(rest) + this.#style.flush()
  }

  /** @returns the place to go on at; or -1 minus a place, when the text from there on cannot be decided before more of it has come */
  #step(text: string, at: number): number {
    switch (this.#mode) {
      case 'text':
        return this.#text(text, at)
      case 'tag':
        return this.#readTag(text, at)
      case 'raw':
        return this.#rawText(text, at)
      case 'comment':
        return this.#upTo(text, at, /--!?>/g, 3)
      case 'declaration':
        return this.#upTo(text, at, />/g, 0)
      case 'cdata':
        return this.#upTo(text, at, /\]\]>/g, 2)
      case 'plaintext':
        return text.length
    }
  }

  #text(text: string, from: number): number {
    const at = text.indexOf('<', from)
    this.#links.text?.(text.slice(from, at < 0 ? text.length : at))
    if (at < 0) return text.length
    const next = text.charCodeAt(at + 1)
    if (Number.isNaN(next)) return -1 - at
    if (isLetter(next)) return this.#beginTag(at, false)
    if (next === slash) {
      const third = text.charCodeAt(at + 2)
      if (Number.isNaN(third)) return -1 - at
      if (isLetter(third)) return this.#beginTag(at, true)
      if (third === greaterThan) return at + 3
      return this.#enter('declaration', at + 2)
    }
    if (next === questionMark) return this.#enter('declaration', at + 2)
    return next === exclamationMark ? this.#markup(text, at) : at + 1
  }

  /** Behind "<!": a comment, a section of characters in SVG and MathML, or something of no interest. */
  #markup(text: string, at: number): number {
    const behind = text.slice(at + 2, at + 2 + cdataSign.length)
    if (behind.startsWith('--')) {
      const beginning = text.slice(at + 4, at + 6)
      if (beginning.startsWith('>')) return at + 5
      if (beginning === '->') return at + 6
      if (beginning === '' || beginning === '-') return -1 - at
      return this.#enter('comment', at + 4)
    }
    const isCut = text.length < at + 2 + cdataSign.length
    if (isCut && ('--'.startsWith(behind) || cdataSign.startsWith(behind))) return -1 - at
    const isSection = behind === cdataSign && (this.#isXml || this.#namespaces.isForeign)
    return this.#enter(isSection ? 'cdata' : 'declaration', at + 2)
  }

  #enter(mode: Mode, at: number): number {
    this.#mode = mode
    return at
  }

  /** @param length how many characters at the end may begin the sign */
  #upTo(text: string, from: number, sign: RegExp, length: number): number {
    sign.lastIndex = from
    const match = sign.exec(text)
    if (match === null) return -1 - Math.max(from, text.length - length)
    this.#mode = 'text'
    return match.index + match[0].length
  }

  #rawText(text: string, from: number): number {
    if (this.#raw === undefined) return this.#enter('text', from)
    const { at, isEndTag } = this.#raw.end(text, from)
    if (this.#style !== undefined) {
      this.#copyUpTo(text, from)
      this.#out += this.#style.transform(text.slice(from, at))
      this.#copied = at
    }
    if (!isEndTag) return -1 - at
    this.#out += this.#style?.flush() ?? ''
    this.#style = undefined
    this.#raw = undefined
    return this.#beginTag(at, true)
  }

  #beginTag(at: number, isEndTag: boolean): number {
    this.#mode = 'tag'
    this.#tag.begin(isEndTag)
    return at
  }

  #readTag(text: string, start: number): number {
    const end = this.#tag.read(text, start)
    if (end < 0) return this.#isTagTooLong ? this.#passOn(text) : -1 - start
    if (this.#isTagTooLong) this.#isTagTooLong = false
    else if (this.#tag.isEndTag) this.#insertBefore(text, start)
    else this.#replaceInTag(text, start)
    this.#mode = 'text'
    this.#afterTag()
    return end
  }

  /** Of a tag that is too long nothing is kept. */
  #passOn(text: string): number {
    this.#tag.forgetPlaces()
    return text.length
  }

  #giveTagUp(): void {
    this.#isTagTooLong = true
    this.#tag.forgetPlaces()
    this.#out += this.#rest
    this.#rest = ''
  }

  /** What a tag means for what follows it. */
  #afterTag(): void {
    const { name, isEndTag, isSelfClosing } = this.#tag
    if (isEndTag) {
      this.#namespaces.endTag(name)
      return
    }
    const isHtml = this.#namespaces.startTag(name, isSelfClosing)
    if (this.#isXml || !isHtml) return
    if (name === 'plaintext') this.#mode = 'plaintext'
    if (!rawTextElements.has(name)) return
    this.#mode = 'raw'
    this.#raw = new RawText(name)
    this.#style = name === 'style' ? new StyleLinks(this.#links) : undefined
  }

  #replaceInTag(text: string, start: number): void {
    const { name, attributes } = this.#tag
    if (!this.#namespaces.isForeign) this.#links.startTag?.({ name, attributes, text, start })
    for (const { from, to, by } of this.#tagLinks.replacements({ name, attributes, text, start })) {
      this.#copyUpTo(text, from)
      this.#out += by
      this.#copied = to
    }
  }

  #insertBefore(text: string, start: number): void {
    const inserted = this.#links.endTag?.(this.#tag.name)
    if (inserted === undefined) return
    this.#copyUpTo(text, start)
    this.#out += inserted
    this.#copied = start
  }

  /** A document in an attribute begins with the base of the one around it, and has no pages of its own for its forms. */
  #inDocument(document: string): string {
    if (this.#depth >= nestingMax) return document
    const links: Links = { link: (url, use) => this.#links.link(url, use) }
    const nested = new HtmlLinks(links, { depth: this.#depth + 1 })
    return nested.write(document) + nested.end()
  }

  #copyUpTo(text: string, end: number): void {
    if (end <= this.#copied) return
    this.#out += this.#copied === 0 && end === text.length ? text : text.slice(this.#copied, end)
    this.#copied = end
  }
}

const cdataSign = '[CDATA['

const [exclamationMark, slash, greaterThan, questionMark] = [0x21, 0x2f, 0x3e, 0x3f]

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
