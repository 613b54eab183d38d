import { type Answer, type BodyFilter, isAnswer } from '../exchange/answer.ts'

/** Body filters one after the other, as one. */
export class BodyChain {
  readonly #filters: readonly BodyFilter[]

  constructor(filters: readonly BodyFilter[]) {
    this.#filters = filters
  }

  /** Whether there are none, so that nobody keeps anything of what passes. */
  get isEmpty(): boolean {
    return this.#filters.length === 0
  }

  /** Whether one of them has to see the whole body before any of it goes on. */
  get holds(): boolean {
    return this.#filters.some(({ holds }) => holds)
  }

  transform(chunk: Buffer): Buffer | Answer {
    return throughAll(this.#filters, chunk)
  }

  /** What each of them has left at the end, after those behind it have seen it. */
  flush(): Buffer | Answer {
    const rests: Buffer[] = []
    for (const [index, filter] of this.#filters.entries()) {
      const own = filter.flush()
      const rest = isAnswer(own) ? own : throughAll(this.#filters.slice(index + 1), own)
      if (isAnswer(rest)) return rest
      rests.push(rest)
    }
    return Buffer.concat(rests)
  }
}

function throughAll(filters: readonly BodyFilter[], chunk: Buffer): Buffer | Answer {
  let bytes = chunk
  for (const filter of filters) {
    const outcome = filter.transform(bytes)
    if (isAnswer(outcome)) return outcome
    bytes = outcome
  }
  return bytes
}
