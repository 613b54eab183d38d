import { alignedLength } from '@palisade/vault/chunks'
import type { Extent } from '@palisade/virtual-disk'
import { type ChunkGeometry, type ChunkRange, chunkCountOf, rangeLength } from '../chunks/chunk-range.ts'
import { jobChunksMax, jobSizeMaxBytes } from '../sessions/job-size.ts'
import type { JobRange } from '../sessions/session.ts'

/** A volume in jobs, in order: all of it is read. */
export function* wholeRanges(geometry: ChunkGeometry): Generator<ChunkRange> {
  const chunkCount = chunkCountOf(geometry)
  const chunksMax = jobChunksMax(geometry)
  for (let from = 0; from < chunkCount; from += chunksMax) {
    yield { from, to: Math.min(from + chunksMax, chunkCount) }
  }
}

/**
 * Puts ranges that are shorter than a job may be together, in order: what is scattered takes fewer requests. A range that
 * nothing fits behind stays alone.
 */
export async function* mergeShortRanges(
  geometry: ChunkGeometry,
  ranges: AsyncIterable<JobRange>,
): AsyncGenerator<JobRange> {
  const sizeMaxBytes = jobSizeMaxBytes(geometry)
  let parts: JobRange[] = []
  let sizeBytes = 0
  for await (const range of ranges) {
    const rangeBytes = alignedLength(rangeLength(geometry, range))
    if (parts.length > 0 && sizeBytes + rangeBytes > sizeMaxBytes) {
      yield jobOf(parts)
      parts = []
      sizeBytes = 0
    }
    parts.push(range)
    sizeBytes += rangeBytes
  }
  if (parts.length > 0) yield jobOf(parts)
}

function jobOf(parts: readonly JobRange[]): JobRange {
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a job has at least one part')
  return parts.length === 1 ? first : { from: first.from, to: last.to, parts }
}

/**
 * A volume in jobs, in order, each with what of it is to be read. Chunks of which nothing is belong to no job.
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
      const from = Math.max(next.value.offsetBytes, startBytes)
      const end = next.value.offsetBytes + next.value.sizeBytes
      const sizeInRange = Math.min(end, startBytes + sizeBytes) - from
      if (sizeInRange > 0) allocated.push({ offsetBytes: from, sizeBytes: sizeInRange })
      if (end > startBytes + sizeBytes) break
      next = await coming.next()
    }
    const jobs = byTouchingChunks(geometry, allocated).map((group) => jobThatReads(geometry, group))
    const skippedBytes = jobs.reduce((left, job) => left - rangeLength(geometry, job), sizeBytes)
    if (skippedBytes > 0) onSkipped(skippedBytes)
    yield* jobs
  }
}

/** The chunks in which an extent lies. */
function chunksOf({ chunkSizeBytes }: ChunkGeometry, { offsetBytes, sizeBytes }: Extent): ChunkRange {
  return {
    from: Math.floor(offsetBytes / chunkSizeBytes),
    to: Math.ceil((offsetBytes + sizeBytes) / chunkSizeBytes),
  }
}

/** Puts extents together between whose chunks there is no other. */
function byTouchingChunks(geometry: ChunkGeometry, extents: readonly Extent[]): Extent[][] {
  const groups: Extent[][] = []
  let end = -1
  for (const extent of extents) {
    const { from, to } = chunksOf(geometry, extent)
    if (from > end) groups.push([])
    groups.at(-1)?.push(extent)
    end = to
  }
  return groups
}

/** @param extents of the volume, at least one; between their chunks there is no other */
function jobThatReads(geometry: ChunkGeometry, extents: readonly Extent[]): JobRange {
  const [first, last] = [extents[0], extents.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a job reads something')
  const job = { from: chunksOf(geometry, first).from, to: chunksOf(geometry, last).to }
  const startBytes = job.from * geometry.chunkSizeBytes
  if (first.offsetBytes === startBytes && first.sizeBytes === rangeLength(geometry, job)) return job
  const allocated = extents.map(({ offsetBytes, sizeBytes }) => ({
    offsetBytes: offsetBytes - startBytes,
    sizeBytes,
  }))
  return { ...job, allocated }
}
