import { isSet, setBit } from '@palisade/agent-protocol/wire'
import type { ChunkRange } from '../chunks/chunk-range.ts'

/** Which of the stored chunks of a range have arrived. */
export class RangeReceipt {
  readonly #range: ChunkRange
  readonly #presence: Uint8Array
  readonly #received: Uint8Array

  constructor(range: ChunkRange, presence: Uint8Array) {
    this.#range = range
    this.#presence = presence
    this.#received = new Uint8Array(Math.ceil((range.to - range.from) / 8))
  }

  /** Whether a chunk is expected: stored, of this range, and not here yet. */
  isMissing(index: number): boolean {
    const { from, to } = this.#range
    if (index < from || index >= to) return false
    return isSet(this.#presence, index) && !isSet(this.#received, index - from)
  }

  take(index: number): void {
    setBit(this.#received, index - this.#range.from)
  }

  /** From the first chunk that is missing to the next one that has arrived; undefined when nothing is missing. */
  firstMissingRun(): ChunkRange | undefined {
    const { from, to } = this.#range
    for (let start = from; start < to; start++) {
      if (!this.isMissing(start)) continue
      let end = start + 1
      let lastMissing = start
      while (end < to && !isSet(this.#received, end - from)) {
        if (this.isMissing(end)) lastMissing = end
        end++
      }
      return { from: start, to: lastMissing + 1 }
    }
    return undefined
  }
}
