import { type DiskPlan, presentBlocks } from '@palisade/virtual-disk'
import { type ChunkGeometry, type ChunkRange, chunkCountOf } from '../chunk-range.ts'

/**
 * The chunks of which a disk's file has room for at least a part, in ranges of at most `lengthMax`: all that are
 * stored, and those of zeros that share a block with one. Takes time for the blocks that are there, not for the
 * size of the disk.
 */
export function* placedRanges(
  plan: DiskPlan,
  partitionOffsetBytes: number,
  geometry: ChunkGeometry,
  lengthMax: number,
): Generator<ChunkRange> {
  const chunkCount = chunkCountOf(geometry)
  let from = 0
  let to = 0
  for (const block of presentBlocks(plan.blocks)) {
    const startBytes = block * plan.blockSizeBytes - partitionOffsetBytes
    const first = Math.max(0, Math.floor(startBytes / geometry.chunkSizeBytes))
    const end = Math.min(chunkCount, Math.ceil((startBytes + plan.blockSizeBytes) / geometry.chunkSizeBytes))
    if (first > to) {
      yield* piecesOf({ from, to }, lengthMax)
      from = first
    }
    to = Math.max(to, end)
  }
  yield* piecesOf({ from, to }, lengthMax)
}

function* piecesOf({ from, to }: ChunkRange, lengthMax: number): Generator<ChunkRange> {
  for (let start = from; start < to; start += lengthMax) {
    yield { from: start, to: Math.min(start + lengthMax, to) }
  }
}
