import { type Answer, type BodyFilter, isAnswer } from '../../exchange/answer.ts'
import type { MediaType } from '../../exchange/response-head.ts'
import { isText } from '../../exchange/response-head.ts'
import type { DataFindings } from './data-findings.ts'
import { ProtectedText } from './protected-text.ts'
import type { ProtectedType } from './protected-type.ts'
import { encodingBytes, encodingOf, looksLikeText, TextCodec, textBytes } from './text-encoding.ts'

/** How a body is read, once its first bytes have come. */
interface Reader {
  readonly codec: TextCodec
  readonly text: ProtectedText
}

/**
 * Looks through a body on its way. One of a type that does not say whether it is text is looked at where its first bytes are that, as it stands
 * and without a change of its length; another one passes.
 */
export class ProtectedBody implements BodyFilter {
  readonly holds: boolean
  readonly keepsLength: boolean
  readonly #types: readonly ProtectedType[]
  readonly #findings: DataFindings
  readonly #charset: string
  /** The first bytes, until there are enough of them. */
  #first: Buffer[] = []
  #reader: Reader | 'passes' | undefined

  constructor(types: readonly ProtectedType[], findings: DataFindings, { type, charset }: MediaType) {
    this.#types = types
    this.#findings = findings
    this.#charset = charset
    this.keepsLength = !isText(type)
    this.holds = !findings.onlyLogs && types.some(({ data }) => data.does === 'block')
  }

  transform(chunk: Buffer): Buffer | Answer {
    if (this.#reader !== undefined) return this.#read(chunk, this.#reader)
    this.#first.push(chunk)
    const size = this.#first.reduce((sum, { length }) => sum + length, 0)
    return size < (this.keepsLength ? textBytes : encodingBytes) ? Buffer.alloc(0) : this.#begin()
  }

  flush(): Buffer | Answer {
    const first = this.#reader === undefined ? this.#begin() : Buffer.alloc(0)
    if (isAnswer(first) || this.#reader === undefined || this.#reader === 'passes') return first
    const { codec, text } = this.#reader
    const last = text.end()
    return typeof last === 'string' ? Buffer.concat([first, codec.encode(last), codec.rest]) : last
  }

  #begin(): Buffer | Answer {
    const first = Buffer.concat(this.#first)
    this.#first = []
    this.#reader = this.#readerFor(first)
    return this.#read(first, this.#reader)
  }

  #readerFor(first: Buffer): Reader | 'passes' {
    if (this.keepsLength && !looksLikeText(first)) return 'passes'
    const text = new ProtectedText(this.#types, this.#findings, this.keepsLength ? 'plain' : 'body')
    return { codec: new TextCodec(encodingOf(first, this.#charset)), text }
  }

  #read(chunk: Buffer, reader: Reader | 'passes'): Buffer | Answer {
    if (reader === 'passes') return chunk
    const { codec, text } = reader
    const outcome = text.take(codec.decode(chunk))
    return typeof outcome === 'string' ? codec.encode(outcome) : outcome
  }
}
