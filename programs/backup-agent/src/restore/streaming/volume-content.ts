import { isSet } from '@palisade/agent-protocol/wire'
import { type ChunkRange, chunkCountOf, chunkLength } from '../../chunks/chunk-range.ts'
import { layPatches, type PlacedVolume } from '../../disk-layout/placed-volume.ts'
import type { JobRange } from '../../sessions/session.ts'
import { storedBetween } from '../../sessions/stream-session.ts'

/** A range of chunks with the slot that they go to. */
export type SlottedRange = JobRange & { readonly slot: number }

interface ArrivedRange extends SlottedRange {
  /** The stream has passed it: its slot may be used again. */
  readonly release: () => void
}

/**
 * One volume of a disk, for a stream that reads it from the first byte to the last: from chunks that arrive in ranges, a
 * few at a time, in memory that is used again and again. A reader waits for what has not arrived, and what has arrived
 * waits for the reader.
 */
export class VolumeContent {
  readonly #volume: PlacedVolume
  readonly #slots: readonly Uint8Array[]
  readonly #freeSlots: number[]
  #arrived: readonly ArrivedRange[] = []
  /** The reader needs no chunk before this one. It does not wait for those that are zeros. */
  #passed = 0
  #change = Promise.withResolvers<void>()
  #ended: { readonly because: unknown } | undefined

  /** @param slots each with room for the stored chunks of a range, as many as ranges are under way at a time */
  constructor(volume: PlacedVolume, slots: readonly Uint8Array[]) {
    this.#volume = volume
    this.#slots = slots
    this.#freeSlots = [...slots.keys()]
  }

  /** Gives each range a slot when it is taken. */
  *withSlots(ranges: Iterable<ChunkRange>): Generator<SlottedRange> {
    for (const range of ranges) {
      const slot = this.#freeSlots.pop()
      if (slot === undefined) throw new Error('more ranges are under way than there is room for')
      yield { ...range, slot }
    }
  }

  /** The chunks of a range are in its slot. Resolves when the reader has passed them, which it may have already. */
  async take(range: SlottedRange): Promise<void> {
    if (this.#ended === undefined && range.to > this.#passed) {
      await new Promise<void>((release) => {
        this.#arrived = [...this.#arrived, { ...range, release }]
        this.#announce()
      })
    }
    this.#freeSlots.push(range.slot)
  }

  /** Nothing is read or arrives any more: readers are told why, and ranges are released. */
  end(because: unknown): void {
    this.#ended ??= { because }
    for (const { release } of this.#arrived) release()
    this.#arrived = []
    this.#announce()
  }

  /**
   * Copies what of the volume is stored to its place in the bytes of the disk from `position` on. Positions must ascend
   * from call to call, and the calls must not overlap.
   */
  async lay(target: Uint8Array, position: number): Promise<void> {
    const { geometry, partitionOffsetBytes, patches } = this.#volume
    const start = position - partitionOffsetBytes
    if (start >= geometry.volumeSizeBytes) return this.#releaseBefore(chunkCountOf(geometry))
    const first = Math.max(0, Math.floor(start / geometry.chunkSizeBytes))
    const end = Math.min(
      chunkCountOf(geometry),
      Math.ceil((start + target.byteLength) / geometry.chunkSizeBytes),
    )
    this.#releaseBefore(first)
    for (let index = first; index < end; index++) {
      this.#releaseBefore(index)
      await this.#layChunk(index, target, start)
    }
    layPatches(patches, target, start, 'replacement')
    if (start + target.byteLength >= geometry.volumeSizeBytes) this.#releaseBefore(chunkCountOf(geometry))
  }

  /** @param start where in the volume the target begins */
  async #layChunk(index: number, target: Uint8Array, start: number): Promise<void> {
    const { geometry, presence } = this.#volume
    if (!isSet(presence, index)) return
    const { from, slot } = await this.#rangeOf(index)
    const place = storedBetween(presence, from, index) * geometry.chunkSizeBytes
    const chunk = this.#slots[slot]?.subarray(place, place + chunkLength(geometry, index))
    if (chunk === undefined) throw new Error('a range has no slot')
    const at = index * geometry.chunkSizeBytes - start
    const cut = chunk.subarray(Math.max(0, -at), Math.max(0, target.byteLength - at))
    target.set(cut, Math.max(0, at))
  }

  async #rangeOf(index: number): Promise<ArrivedRange> {
    for (;;) {
      if (this.#ended !== undefined) throw this.#ended.because
      const range = this.#arrived.find(({ from, to }) => from <= index && index < to)
      if (range !== undefined) return range
      await this.#change.promise
    }
  }

  #releaseBefore(index: number): void {
    this.#passed = Math.max(this.#passed, index)
    for (const { to, release } of this.#arrived) if (to <= index) release()
    this.#arrived = this.#arrived.filter(({ to }) => to > index)
  }

  #announce(): void {
    const { resolve } = this.#change
    this.#change = Promise.withResolvers()
    resolve()
  }
}
