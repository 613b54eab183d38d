import { type ChunkFrame, idSizeBytes, isSet } from '@palisade/agent-protocol/wire'
import type { AlignedBuffers } from '../chunks/aligned-buffers.ts'
import { chunkLength } from '../chunks/chunk-range.ts'
import { FetchLanes } from './fetch-lanes.ts'
import { RangeFetch } from './range-fetch.ts'
import type { JobRange, StreamSpec, WorkerSession } from './session.ts'
import { unsealFrame } from './unseal-frame.ts'

/**
 * Fetches ranges of chunks and opens them into shared memory, for a stream that needs them in order:
 *
 *     receive buffer ──> sealed ──> opened, in the slot of the range ──> the thread that sends them on
 *
 * The stored chunks of a range lie one behind another in its slot, each with room for a whole chunk.
 */
export class StreamSession implements WorkerSession {
  readonly #spec: StreamSpec
  readonly #lanes: FetchLanes

  constructor(spec: StreamSpec, buffers: AlignedBuffers) {
    this.#spec = spec
    this.#lanes = new FetchLanes(spec, buffers)
  }

  async run(range: JobRange): Promise<Uint8Array> {
    const slot = this.#spec.slots[range.slot ?? -1]
    if (slot === undefined) throw new Error('a range of a stream has no slot')
    const ids = new Uint8Array((range.to - range.from) * idSizeBytes)
    const take = (frame: ChunkFrame) => this.#open(frame, range, slot, ids)
    await this.#lanes.use((lane) =>
      new RangeFetch(this.#spec, range, lane, { take, whenReady: () => undefined }).run(this.#lanes.signal),
    )
    return ids
  }

  close(): void {
    this.#lanes.close()
  }

  #open(frame: ChunkFrame, { from }: JobRange, slot: Uint8Array, ids: Uint8Array): void {
    const { geometry, presence, bytesDone } = this.#spec
    const place = storedBetween(presence, from, frame.index) * geometry.chunkSizeBytes
    unsealFrame(frame, this.#spec, slot.subarray(place))
    ids.set(frame.id, (frame.index - from) * idSizeBytes)
    Atomics.add(bytesDone, 0, BigInt(chunkLength(geometry, frame.index)))
  }
}

/** How many of the chunks from `from` on, up to but without `to`, are stored. */
export function storedBetween(presence: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let index = from; index < to; index++) if (isSet(presence, index)) count++
  return count
}
