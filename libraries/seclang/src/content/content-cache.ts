import { Content } from './content.ts'

/** Longer texts hardly come again. */
const lengthMax = 512

/** How many texts are remembered in each of two generations. */
const generationSize = 1_000

/**
 * How many texts that came once are recognised when they come again, at most; a power of two. No more than are kept: what comes again
 * so late only would be forgotten again before it came the next time.
 */
const numbersMax = 1_024

/**
 * Contents of texts that come again and again, such as names and values of headers, cookies, names of arguments, addresses: what was found
 * out about them is found out once. Of a text that came once, a number is remembered and nothing else; when it comes again, its content is
 * kept. Texts that were not seen for a while are forgotten: when the young generation is full, it becomes the old one, which goes.
 */
export class ContentCache {
  #young = new Map<string, Content>()
  #old = new Map<string, Content>()
  /** Numbers of texts that came once, each at the place that its last bits say. */
  readonly #seenOnce = new Int32Array(numbersMax)

  /** The content of a byte string. */
  of(text: string): Content {
    if (text.length > lengthMax) return new Content(text)
    const young = this.#young.get(text)
    if (young !== undefined) return young
    const old = this.#old.get(text)
    if (old !== undefined) return this.#keep(old)
    const content = new Content(text)
    return this.#comesAgain(text) ? this.#keep(content.keep()) : content
  }

  #keep(content: Content): Content {
    if (this.#young.size >= generationSize) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(content.text, content)
    return content
  }

  /** Two texts may have one number: then the second is kept at once, which does no harm. */
  #comesAgain(text: string): boolean {
    const number = numberOf(text)
    const place = number & (numbersMax - 1)
    const isAgain = this.#seenOnce[place] === number
    this.#seenOnce[place] = number
    return isAgain
  }
}

/** A hash of all characters (FNV-1a): texts that come once often differ in a few digits from the one before. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}
