import { isSet } from '@palisade/agent-protocol/wire'
import type { Extent } from '@palisade/virtual-disk'
import { type ChunkGeometry, chunkCountOf, chunkLength } from '../chunks/chunk-range.ts'

/** The bytes of the volume that are stored, chunks that touch joined into one extent. */
export function* storedExtents(presence: Uint8Array, geometry: ChunkGeometry): Generator<Extent> {
  const chunkCount = chunkCountOf(geometry)
  for (let from = 0; from < chunkCount; from++) {
    if (!isSet(presence, from)) continue
    let last = from
    while (last + 1 < chunkCount && isSet(presence, last + 1)) last++
    const offsetBytes = from * geometry.chunkSizeBytes
    yield {
      offsetBytes,
      sizeBytes: last * geometry.chunkSizeBytes + chunkLength(geometry, last) - offsetBytes,
    }
    from = last
  }
}

/** How many bytes of the volume are stored. */
export function storedSizeBytes(presence: Uint8Array, geometry: ChunkGeometry): number {
  let sizeBytes = 0
  for (const extent of storedExtents(presence, geometry)) sizeBytes += extent.sizeBytes
  return sizeBytes
}
