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

  /** @param wanted what to count, and the text of which to tell once */
  constructor(wanted: { bytes: Counter | undefined; text: string | undefined; onText: () => void }) {
    this.#bytes = wanted.bytes
    this.#text = wanted.text && Buffer.from(wanted.text, 'utf8').toString('latin1')
    this.#onText = wanted.onText
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
    const seen = this.#end + chunk.toString('latin1')
    if (seen.includes(text)) {
      this.#end = text
      this.#onText()
    } else this.#end = text.length > 1 ? seen.slice(-(text.length - 1)) : ''
  }
}
