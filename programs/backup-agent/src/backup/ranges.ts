import type { Extent } from '@palisade/virtual-disk'
import { type ChunkGeometry, type ChunkRange, chunkCountOf, rangeLength } from '../chunk-range.ts'
import type { JobRange } from '../workers/messages.ts'

/**
 * What one job of a worker reads: large enough for few requests, each of which costs agent and server a millisecond of
 * processor time, and small enough for four of them in memory.
 */
const rangeSizeBytes = 8 * 1024 * 1024

/** A volume in jobs, in order: all of it is read. */
export function* wholeRanges(geometry: ChunkGeometry): Generator<ChunkRange> {
  const chunkCount = chunkCountOf(geometry)
  const chunksPerRange = Math.max(1, Math.floor(rangeSizeBytes / geometry.chunkSizeBytes))
  for (let from = 0; from < chunkCount; from += chunksPerRange) {
    yield { from, to: Math.min(from + chunksPerRange, chunkCount) }
  }
}

/**
 * A volume in jobs, in order, each with what of it is in use. Where nothing is, there is no job.
 *
 * @param extents in order, not overlapping, within the volume
 * @param onSkipped is told how many bytes need no job, each time before the next job or the end
 */
export async function* usedRanges(
  geometry: ChunkGeometry,
  extents: AsyncIterable<Extent>,
  onSkipped: (sizeBytes: number) => void,
): AsyncGenerator<JobRange> {
  const coming = extents[Symbol.asyncIterator]()
  let next = await coming.next()
  for (const range of wholeRanges(geometry)) {
    const startBytes = range.from * geometry.chunkSizeBytes
    const sizeBytes = rangeLength(geometry, range)
    const allocated: Extent[] = []
    while (next.done !== true && next.value.offsetBytes < startBytes + sizeBytes) {
      const from = Math.max(next.value.offsetBytes - startBytes, 0)
      const end = next.value.offsetBytes + next.value.sizeBytes - startBytes
      if (from < end) allocated.push({ offsetBytes: from, sizeBytes: Math.min(end, sizeBytes) - from })
      if (end > sizeBytes) break
      next = await coming.next()
    }
    if (allocated.length === 0) onSkipped(sizeBytes)
    else if (allocated[0]?.sizeBytes === sizeBytes) yield range
    else yield { ...range, allocated }
  }
}
