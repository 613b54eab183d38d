import { patchedChunksMax } from '@palisade/agent-protocol/wire'
import { isPatchable, patchMapBytes, patchPieces } from '@palisade/vault/chunks'
import type { Extent } from '@palisade/virtual-disk'
import { type ChunkGeometry, chunkLength } from '../chunks/chunk-range.ts'
import { ChunkSet } from './chunk-set.ts'

const clean = 0
const dirty = 0xff

/** Some bytes of a volume. */
interface Stretch {
  readonly from: number
  /** Exclusive. */
  readonly end: number
}

/** A chunk of which some pieces are unchanged and others are not, or may not be. */
export interface PartlyUnchanged {
  readonly index: number
  /** A bit for each of its pieces, as in the map of a patch; set when not every byte of the piece is known to be unchanged. */
  readonly dirty: Uint8Array
}

/**
 * Which chunks of a volume are unchanged as a whole, and of which others some pieces are. Only chunks of full length have pieces, and
 * where there are more of the others than a revision can have patched, those that come last count as changed.
 */
export class UnchangedPieces {
  /** The chunks that are unchanged as a whole. */
  readonly chunks: ChunkSet
  readonly #geometry: ChunkGeometry
  readonly #dirtyMaps = new Map<number, Uint8Array>()

  /** Nothing is unchanged. */
  constructor(geometry: ChunkGeometry) {
    this.#geometry = geometry
    this.chunks = new ChunkSet(geometry)
  }

  /** Adds what lies in the extents, which are in order; those that touch count as one. */
  async addWithin(extents: AsyncIterable<Extent>): Promise<void> {
    await this.chunks.addWithin(shown(joined(extents), (stretch) => this.#addPieces(stretch)))
  }

  /** Removes what lies in the extents. */
  async removeTouched(extents: AsyncIterable<Extent>): Promise<void> {
    // The set still has the chunks of an extent when their pieces are removed.
    await this.chunks.removeTouched(shown(extents, (stretch) => this.#removePieces(stretch)))
  }

  /** The chunks that are unchanged in part, in order. */
  *partial(): Generator<PartlyUnchanged> {
    for (const index of [...this.#dirtyMaps.keys()].sort((one, other) => one - other)) {
      const map = this.#dirtyMaps.get(index)
      if (map !== undefined) yield { index, dirty: map }
    }
  }

  /** Only the chunks that a stretch begins and ends in are not in it as a whole. */
  #addPieces({ from, end }: Stretch): void {
    const { chunkSizeBytes } = this.#geometry
    const first = Math.floor(from / chunkSizeBytes)
    const last = Math.floor(end / chunkSizeBytes)
    for (const index of first === last ? [first] : [first, last]) {
      const { from: start, end: stop } = this.#within(index, { from, end })
      const pieces = { from: Math.ceil(start), end: Math.floor(stop) }
      const isWhole = pieces.from === 0 && pieces.end === patchPieces
      if (isWhole || pieces.from >= pieces.end) continue
      const map = this.#dirtyMaps.get(index) ?? this.#begin(index, dirty)
      if (map !== undefined) mark(map, pieces, clean)
    }
  }

  #removePieces(stretch: Stretch): void {
    const { chunkSizeBytes } = this.#geometry
    const to = Math.ceil(stretch.end / chunkSizeBytes)
    for (let index = Math.floor(stretch.from / chunkSizeBytes); index < to; index++) {
      const { from, end } = this.#within(index, stretch)
      const pieces = { from: Math.floor(from), end: Math.ceil(end) }
      const isWhole = pieces.from === 0 && pieces.end === patchPieces
      const map = this.#dirtyMaps.get(index) ?? this.#beginUnchanged(index, isWhole)
      if (map === undefined) continue
      mark(map, pieces, dirty)
      if (map.every((bits) => bits === dirty)) this.#dirtyMaps.delete(index)
    }
  }

  /** Which pieces of a chunk a stretch reaches over, in fractions of them. */
  #within(index: number, { from, end }: Stretch): Stretch {
    const { chunkSizeBytes } = this.#geometry
    const start = index * chunkSizeBytes
    const pieceSizeBytes = chunkSizeBytes / patchPieces
    return {
      from: Math.max(from - start, 0) / pieceSizeBytes,
      end: Math.min(end - start, chunkSizeBytes) / pieceSizeBytes,
    }
  }

  #beginUnchanged(index: number, isWhollyTouched: boolean): Uint8Array | undefined {
    return isWhollyTouched || !this.chunks.has(index) ? undefined : this.#begin(index, clean)
  }

  /** A map for a chunk that has none; undefined where there can be none. */
  #begin(index: number, bits: number): Uint8Array | undefined {
    const { chunkSizeBytes } = this.#geometry
    const isFullLength = chunkLength(this.#geometry, index) === chunkSizeBytes
    const canHave = isPatchable(chunkSizeBytes) && isFullLength && this.#dirtyMaps.size < patchedChunksMax
    if (!canHave) return undefined
    const map = new Uint8Array(patchMapBytes).fill(bits)
    this.#dirtyMaps.set(index, map)
    return map
  }
}

/** Joins extents that touch; they are in order. */
async function* joined(extents: AsyncIterable<Extent>): AsyncGenerator<Extent> {
  let open: Extent | undefined
  for await (const extent of extents) {
    if (open !== undefined && extent.offsetBytes === open.offsetBytes + open.sizeBytes) {
      open = { offsetBytes: open.offsetBytes, sizeBytes: open.sizeBytes + extent.sizeBytes }
    } else {
      if (open !== undefined) yield open
      open = extent
    }
  }
  if (open !== undefined) yield open
}

/** Shows each extent to somebody before it is passed on. */
async function* shown(
  extents: AsyncIterable<Extent>,
  show: (stretch: Stretch) => void,
): AsyncGenerator<Extent> {
  for await (const extent of extents) {
    show({ from: extent.offsetBytes, end: extent.offsetBytes + extent.sizeBytes })
    yield extent
  }
}

/** Sets the bits of some pieces to those of a byte whose bits are all alike. */
function mark(map: Uint8Array, { from, end }: Stretch, bits: number): void {
  for (let piece = from; piece < end; piece++) {
    const bit = 1 << (piece & 7)
    map[piece >> 3] = ((map[piece >> 3] ?? 0) & ~bit) | (bits & bit)
  }
}
