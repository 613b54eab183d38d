import { alignedLength } from '@palisade/vault/chunks'
import { type ChunkGeometry, chunksWithin } from '../chunks/chunk-range.ts'

/**
 * What one job of a backup reads: large enough for few requests, each of which costs agent and server a millisecond of
 * processor time, and small enough for two of them per thread in memory.
 */
const jobSizeBytes = 8 * 1024 * 1024

/** How many chunks one job of a backup reads at most. */
export function jobChunksMax(geometry: ChunkGeometry): number {
  return chunksWithin(geometry, jobSizeBytes)
}

/** The memory that the largest job of a volume takes, with all of its parts aligned. */
export function jobSizeMaxBytes(geometry: ChunkGeometry): number {
  const { chunkSizeBytes, volumeSizeBytes } = geometry
  return alignedLength(Math.min(jobChunksMax(geometry) * chunkSizeBytes, volumeSizeBytes))
}
