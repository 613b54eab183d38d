import { isSet } from '@palisade/agent-protocol'
import type { Extent } from '@palisade/virtual-disk'
import { type ChunkGeometry, type ChunkRange, chunkCountOf, chunkLength } from '../chunk-range.ts'

/** The ids of a range this long take 2 MiB. */
const rangeLengthMax = 65_536

/**
 * Cuts the chunks of a volume into ranges with at most `storedMax` stored chunks each. Ranges begin with a stored
 * chunk; between them nothing is stored.
 */
export function* storedRanges(
  presence: Uint8Array,
  chunkCount: number,
  storedMax: number,
): Generator<ChunkRange> {
  let from = 0
  let stored = 0
  for (let index = 0; index < chunkCount; index++) {
    if (stored > 0 && (stored === storedMax || index - from === rangeLengthMax)) {
      yield { from, to: index }
      stored = 0
    }
    if (!isSet(presence, index)) continue
    if (stored === 0) from = index
    stored++
  }
  if (stored > 0) yield { from, to: chunkCount }
}

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
