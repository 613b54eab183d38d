import type { Extent } from '@palisade/virtual-disk'
import { type ChunkGeometry, type ChunkRange, chunkCountOf, rangeLength } from '../chunks/chunk-range.ts'

/** Some of the chunks of a volume, a bit each. */
export class ChunkSet {
  readonly geometry: ChunkGeometry
  readonly #bits: Uint8Array
  #size = 0

  /** An empty set. */
  constructor(geometry: ChunkGeometry) {
    this.geometry = geometry
    this.#bits = new Uint8Array(Math.ceil(chunkCountOf(geometry) / 8))
  }

  /** How many chunks are in it. */
  get size(): number {
    return this.#size
  }

  /** How many bytes of the volume its chunks hold. */
  get sizeBytes(): number {
    const { volumeSizeBytes, chunkSizeBytes } = this.geometry
    const last = chunkCountOf(this.geometry) - 1
    const missingBytes = this.has(last) ? (last + 1) * chunkSizeBytes - volumeSizeBytes : 0
    return this.#size * chunkSizeBytes - missingBytes
  }

  has(index: number): boolean {
    return (((this.#bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1
  }

  remove(index: number): void {
    if (!this.has(index)) return
    this.#bits[index >> 3] = (this.#bits[index >> 3] ?? 0) & ~(1 << (index & 7))
    this.#size--
  }

  /** Adds the chunks of which every byte lies in the extents, which are in order; those that touch count as one. */
  async addWithin(extents: AsyncIterable<Extent>): Promise<void> {
    let open = { from: 0, end: 0 }
    for await (const { offsetBytes, sizeBytes } of extents) {
      if (offsetBytes !== open.end) {
        this.#addWithin(open)
        open = { from: offsetBytes, end: offsetBytes }
      }
      open.end = offsetBytes + sizeBytes
    }
    this.#addWithin(open)
  }

  /** Removes the chunks of which some byte lies in the extents. */
  async removeTouched(extents: AsyncIterable<Extent>): Promise<void> {
    const { chunkSizeBytes } = this.geometry
    for await (const { offsetBytes, sizeBytes } of extents) {
      const to = Math.ceil((offsetBytes + sizeBytes) / chunkSizeBytes)
      for (let index = Math.floor(offsetBytes / chunkSizeBytes); index < to; index++) this.remove(index)
    }
  }

  /** The numbers of its chunks that lie in a range, in order. */
  within({ from, to }: ChunkRange): readonly number[] {
    const numbers: number[] = []
    for (let index = from; index < to; index++) if (this.has(index)) numbers.push(index)
    return numbers
  }

  /** Its chunks in order, those beside one another together. */
  runs(): Generator<ChunkRange> {
    return this.#runsOf(true, { from: 0, to: chunkCountOf(this.geometry) })
  }

  /** The chunks of a range that are not in it, in the same way. */
  runsOutside(range: ChunkRange): Generator<ChunkRange> {
    return this.#runsOf(false, range)
  }

  /** The bytes of its chunks. */
  async *extents(): AsyncGenerator<Extent> {
    for (const run of this.runs()) {
      yield {
        offsetBytes: run.from * this.geometry.chunkSizeBytes,
        sizeBytes: rangeLength(this.geometry, run),
      }
    }
  }

  *#runsOf(isInside: boolean, { from, to }: ChunkRange): Generator<ChunkRange> {
    let runStart: number | undefined
    for (let index = from; index < to; index++) {
      if (this.has(index) === isInside) {
        runStart ??= index
      } else if (runStart !== undefined) {
        yield { from: runStart, to: index }
        runStart = undefined
      }
    }
    if (runStart !== undefined) yield { from: runStart, to }
  }

  #addWithin({ from, end }: { readonly from: number; readonly end: number }): void {
    const { chunkSizeBytes, volumeSizeBytes } = this.geometry
    // The last chunk ends where the volume does.
    const to = end >= volumeSizeBytes ? chunkCountOf(this.geometry) : Math.floor(end / chunkSizeBytes)
    for (let index = Math.ceil(from / chunkSizeBytes); index < to; index++) {
      if (this.has(index)) continue
      this.#bits[index >> 3] = (this.#bits[index >> 3] ?? 0) | (1 << (index & 7))
      this.#size++
    }
  }
}
