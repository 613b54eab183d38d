import type { BodyFilter } from '../../exchange/answer.ts'
import type { Counter } from '../../policy/traffic-memory.ts'

const nothing = Buffer.alloc(0)

/** Lets a body pass as it is, counts its bytes and looks for a text in it. */
export class CountedBody implements BodyFilter {
  readonly #bytes: Counter | undefined
  readonly #text: string | undefined
  readonly #onText: () => void
  /** The end of what has passed, in which the text may have begun. */
  #end = ''

  /** @param counters what to count, and the text of which to tell once */
  constructor(counters: { bytes: Counter | undefined; text: string | undefined; onText: () => void }) {
    this.#bytes = counters.bytes
    this.#text = counters.text && Buffer.from(counters.text, 'utf8').toString('latin1')
    this.#onText = counters.onText
  }

  transform(chunk: Buffer): Buffer {
    this.#bytes?.add(chunk.length)
    this.#look(chunk)
    return chunk
  }

  flush(): Buffer {
    return nothing
  }

  #look(chunk: Buffer): void {
    const text = this.#text
    if (text === undefined || this.#end === text) return
    const window = this.#end + chunk.toString('latin1')
    if (window.includes(text)) {
      this.#end = text
      this.#onText()
    } else this.#end = text.length > 1 ? window.slice(-(text.length - 1)) : ''
  }
}
