import { Content } from './content.ts'

/** Longer texts hardly come again. */
const lengthMax = 512

/** How many texts are known in each of two generations. */
const generationSize = 1_000

/**
 * Contents of texts that come again and again, such as names and values of headers, names of arguments, addresses: what was found
 * out about them is found out once. A text is remembered when it is seen, and what is found out about it from the second time
 * on. Texts that were not seen for a while are forgotten: when the young generation is full, it becomes the old one, which goes.
 */
export class ContentCache {
  #young = new Map<string, Content>()
  #old = new Map<string, Content>()

  /** The content of a byte string. */
  of(text: string): Content {
    if (text.length > lengthMax) return new Content(text)
    const young = this.#young.get(text)
    if (young !== undefined) return young.keep()
    const old = this.#old.get(text)
    const content = old?.keep() ?? new Content(text)
    if (this.#young.size >= generationSize) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(text, content)
    return content
  }
}
