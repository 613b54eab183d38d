import { taskFailures } from '@palisade/agent-protocol/wire'
import { type ChunkGeometry, type ChunkRange, chunkCountOf, chunkLength } from '../chunks/chunk-range.ts'
import { TaskFailure } from '../failure.ts'

/** Sizes of a cache. */
export interface CacheLimits {
  readonly cacheBytesMax: number
  readonly chunksAheadMax: number
}

/**
 * Chunks of one volume that were read lately. A chunk that is being fetched is waited for by all who want it. Whoever reads
 * forward gets twice as much at a time with each fetch, up to a bound; whoever jumps gets single chunks again.
 */
export class ChunkCache {
  readonly #geometry: ChunkGeometry
  readonly #isStored: (index: number) => boolean
  readonly #fetch: (range: ChunkRange) => Promise<Buffer>
  readonly #chunksMax: number
  readonly #aheadMax: number
  /** In the order of their last use. */
  readonly #chunks = new Map<number, Promise<Buffer>>()
  #ahead = 1
  #nextExpected = -1

  /** @param fetch gives the chunks of a range, one behind another */
  constructor(
    geometry: ChunkGeometry,
    isStored: (index: number) => boolean,
    fetch: (range: ChunkRange) => Promise<Buffer>,
    { cacheBytesMax, chunksAheadMax }: CacheLimits,
  ) {
    this.#geometry = geometry
    this.#isStored = isStored
    this.#fetch = fetch
    this.#chunksMax = Math.max(1, Math.floor(cacheBytesMax / geometry.chunkSizeBytes))
    this.#aheadMax = Math.max(1, Math.min(chunksAheadMax, this.#chunksMax))
  }

  /** A chunk that is stored. The bytes are not to be changed. */
  get(index: number): Promise<Buffer> {
    const cached = this.#chunks.get(index)
    if (cached !== undefined) {
      this.#chunks.delete(index)
      this.#chunks.set(index, cached)
      return cached
    }
    this.#begin(this.#rangeFrom(index))
    return this.#chunks.get(index) ?? Promise.reject(new Error('a chunk that is fetched is not in the cache'))
  }

  #rangeFrom(index: number): ChunkRange {
    const goesForward = index >= this.#nextExpected && index < this.#nextExpected + this.#aheadMax
    this.#ahead = goesForward ? Math.min(this.#ahead * 2, this.#aheadMax) : 1
    const limit = Math.min(index + this.#ahead, chunkCountOf(this.#geometry))
    let to = index + 1
    while (to < limit && this.#isStored(to) && !this.#chunks.has(to)) to++
    this.#nextExpected = to
    return { from: index, to }
  }

  #begin({ from, to }: ChunkRange): void {
    const fetched = this.#fetch({ from, to })
    const { chunkSizeBytes } = this.#geometry
    for (let index = from; index < to; index++) {
      const at = (index - from) * chunkSizeBytes
      const chunk = fetched.then(
        // A copy: a part of what was fetched would keep all of it in memory.
        (bytes) => Buffer.from(bytes.subarray(at, at + chunkLength(this.#geometry, index))),
        (error) => {
          if (to - from === 1 || !isOfDamage(error)) throw error
          // One of them is damaged; the others can be read.
          return this.#fetch({ from: index, to: index + 1 })
        },
      )
      this.#chunks.set(index, chunk)
      // Whoever reads it hears of it; the next one tries again.
      chunk.catch(() => {
        if (this.#chunks.get(index) === chunk) this.#chunks.delete(index)
      })
    }
    for (const index of this.#chunks.keys()) {
      if (this.#chunks.size <= this.#chunksMax) break
      this.#chunks.delete(index)
    }
  }
}

function isOfDamage(error: unknown): boolean {
  return error instanceof TaskFailure && error.code === taskFailures.dataDamaged
}
