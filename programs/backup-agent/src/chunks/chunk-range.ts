/** Some chunks of a volume, one after another. */
export interface ChunkRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** How a volume is cut into chunks; the last one may be shorter. */
export interface ChunkGeometry {
  readonly volumeSizeBytes: number
  readonly chunkSizeBytes: number
}

/** The last chunk may be shorter. */
export function chunkCountOf({ volumeSizeBytes, chunkSizeBytes }: ChunkGeometry): number {
  return Math.ceil(volumeSizeBytes / chunkSizeBytes)
}

/** How many whole chunks go into so many bytes; one at least. */
export function chunksWithin({ chunkSizeBytes }: ChunkGeometry, sizeBytes: number): number {
  return Math.max(1, Math.floor(sizeBytes / chunkSizeBytes))
}

/** How many bytes of the volume a chunk holds. */
export function chunkLength({ volumeSizeBytes, chunkSizeBytes }: ChunkGeometry, index: number): number {
  return Math.min(chunkSizeBytes, volumeSizeBytes - index * chunkSizeBytes)
}

/** How many bytes of the volume the chunks of a range hold. */
export function rangeLength(geometry: ChunkGeometry, { from, to }: ChunkRange): number {
  return from < to ? (to - 1 - from) * geometry.chunkSizeBytes + chunkLength(geometry, to - 1) : 0
}
