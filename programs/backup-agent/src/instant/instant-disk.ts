import { isSet } from '@palisade/agent-protocol/wire'
import type { Extent, Region } from '@palisade/virtual-disk'
import { type ChunkRange, chunkCountOf, chunkLength } from '../chunks/chunk-range.ts'
import type { DiskContent } from '../disk-layout/disk-shape.ts'
import { layRegions } from '../disk-layout/lay-regions.ts'
import { layPatches, type PlacedVolume } from '../disk-layout/placed-volume.ts'
import { ChunkCache } from './chunk-cache.ts'
import type { ExportedDisk } from './nbd-server.ts'

/** Fetches chunks of a volume, one behind another, those that are not stored as zeros. */
export type FetchRange = (volume: PlacedVolume, range: ChunkRange) => Promise<Buffer>

/** How much memory a disk takes, and how eagerly it fetches. */
export interface InstantDiskOptions {
  /** How much of what was fetched is kept, all volumes together. */
  readonly cacheBytesMax: number
  /** How far ahead a reader is served that goes forward; a power of two. */
  readonly chunksAheadMax: number
}

const usual: InstantDiskOptions = { cacheBytesMax: 64 * 1024 * 1024, chunksAheadMax: 8 }

/**
 * A disk that is still in the vault: chunks are fetched when somebody reads them, and then some more when reads go
 * forward. What is known to be zeros is never asked for.
 */
export class InstantDisk implements ExportedDisk {
  readonly sizeBytes: number
  readonly #regions: readonly Region[]
  readonly #volumes: readonly { readonly placed: PlacedVolume; readonly cache: ChunkCache }[]
  #fetchedBytes = 0

  constructor(
    content: Omit<DiskContent, 'sectorSizeBytes'>,
    fetch: FetchRange,
    options: InstantDiskOptions = usual,
  ) {
    const { virtualSizeBytes, regions, volumes } = content
    this.sizeBytes = virtualSizeBytes
    this.#regions = regions
    const cacheBytesMax = Math.floor(options.cacheBytesMax / Math.max(1, volumes.length))
    this.#volumes = volumes.map((placed) => {
      const isStored = (index: number) => isSet(placed.presence, index)
      const fetchCounted = async (range: ChunkRange) => {
        const bytes = await fetch(placed, range)
        this.#fetchedBytes += bytes.length
        return bytes
      }
      return {
        placed,
        cache: new ChunkCache(placed.geometry, isStored, fetchCounted, { ...options, cacheBytesMax }),
      }
    })
  }

  /** How many bytes of volumes have been fetched, those that were fetched again included. */
  get fetchedBytes(): number {
    return this.#fetchedBytes
  }

  async read(target: Uint8Array, position: number): Promise<void> {
    target.fill(0)
    layRegions(this.#regions, target, position)
    for (const { placed, cache } of this.#volumes) {
      const start = position - placed.partitionOffsetBytes
      for (const index of chunksIn(placed, start, target.byteLength)) {
        const chunk = isSet(placed.presence, index) ? await cache.get(index) : undefined
        if (chunk === undefined) continue
        const at = index * placed.geometry.chunkSizeBytes - start
        const cut = chunk.subarray(Math.max(0, -at), Math.max(0, target.byteLength - at))
        target.set(cut, Math.max(0, at))
      }
      layPatches(placed.patches, target, start, 'replacement')
    }
  }

  /** What is not stored is zeros; regions and stored chunks may hold anything. */
  *extents({ offsetBytes, sizeBytes }: Extent): Generator<Extent & { readonly isZero: boolean }> {
    const endBytes = offsetBytes + sizeBytes
    let at = offsetBytes
    for (const used of this.#used(offsetBytes)) {
      if (used.offsetBytes >= endBytes) break
      if (used.offsetBytes > at) {
        yield { offsetBytes: at, sizeBytes: used.offsetBytes - at, isZero: true }
        at = used.offsetBytes
      }
      const usedEnd = Math.min(endBytes, used.offsetBytes + used.sizeBytes)
      if (usedEnd > at) yield { offsetBytes: at, sizeBytes: usedEnd - at, isZero: false }
      at = Math.max(at, usedEnd)
    }
    if (at < endBytes) yield { offsetBytes: at, sizeBytes: endBytes - at, isZero: true }
  }

  /** The parts of the disk that may hold data, in ascending order, beginning with the first that ends behind the place. */
  *#used(fromBytes: number): Generator<Extent> {
    const parts = [
      ...this.#regions.map(({ offsetBytes, bytes }) => ({ offsetBytes, sizeBytes: bytes.byteLength })),
      ...this.#volumes.map(({ placed }) => placed),
    ].toSorted((one, other) => startOf(one) - startOf(other))
    for (const part of parts) {
      if ('sizeBytes' in part) {
        if (part.offsetBytes + part.sizeBytes > fromBytes) yield part
      } else yield* storedFrom(part, fromBytes)
    }
  }
}

function startOf(part: Extent | PlacedVolume): number {
  return 'offsetBytes' in part ? part.offsetBytes : part.partitionOffsetBytes
}

function* storedFrom(placed: PlacedVolume, fromBytes: number): Generator<Extent> {
  const { partitionOffsetBytes, geometry, presence } = placed
  const first = Math.max(0, Math.floor((fromBytes - partitionOffsetBytes) / geometry.chunkSizeBytes))
  for (let index = first; index < chunkCountOf(geometry); index++) {
    if (!isSet(presence, index)) continue
    const offsetBytes = partitionOffsetBytes + index * geometry.chunkSizeBytes
    yield { offsetBytes, sizeBytes: chunkLength(geometry, index) }
  }
}

/** @param start where in the volume the bytes begin; negative before it */
function* chunksIn({ geometry }: PlacedVolume, start: number, sizeBytes: number): Generator<number> {
  if (start >= geometry.volumeSizeBytes) return
  const first = Math.max(0, Math.floor(start / geometry.chunkSizeBytes))
  const end = Math.min(chunkCountOf(geometry), Math.ceil((start + sizeBytes) / geometry.chunkSizeBytes))
  for (let index = first; index < end; index++) yield index
}
