import { type DiskPlan, presentBlocks } from '@palisade/virtual-disk'
import { type ChunkGeometry, type ChunkRange, chunkCountOf } from '../chunks/chunk-range.ts'

/** How far a range may reach; a server answers for many times as much. Bounds what is kept of a range. */
const spanMaxChunks = 4096

/**
 * The chunks of which a disk's file has room for at least a part: all that are stored, and those of zeros that share
 * a block with one. A range goes on over gaps until it has `placedMax` such chunks: with a request for each piece
 * between two gaps, a restore of scattered data would mostly wait for answers. Takes time for the chunks that are
 * there, not for the size of the disk.
 */
export function* placedRanges(
  plan: DiskPlan,
  partitionOffsetBytes: number,
  geometry: ChunkGeometry,
  placedMax: number,
): Generator<ChunkRange> {
  let from = 0
  let to = 0
  let placedCount = 0
  for (const index of placedChunks(plan, partitionOffsetBytes, geometry)) {
    if (placedCount === placedMax || index - from >= spanMaxChunks) {
      if (placedCount > 0) yield { from, to }
      placedCount = 0
    }
    if (placedCount === 0) from = index
    to = index + 1
    placedCount++
  }
  if (placedCount > 0) yield { from, to }
}

/** Ascending, each once. */
function* placedChunks(
  plan: DiskPlan,
  partitionOffsetBytes: number,
  geometry: ChunkGeometry,
): Generator<number> {
  const chunkCount = chunkCountOf(geometry)
  let next = 0
  for (const block of presentBlocks(plan.blocks)) {
    const startBytes = block * plan.blockSizeBytes - partitionOffsetBytes
    const first = Math.floor(startBytes / geometry.chunkSizeBytes)
    const end = Math.min(chunkCount, Math.ceil((startBytes + plan.blockSizeBytes) / geometry.chunkSizeBytes))
    for (next = Math.max(next, first); next < end; next++) yield next
  }
}
