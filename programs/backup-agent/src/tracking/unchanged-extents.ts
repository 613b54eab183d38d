/**
 * What two files that share blocks have in common, from where their blocks lie. Of a block that both have, nobody has changed anything: a
 * file system writes to a shared block by giving the writer another one.
 *
 * A wrong answer here loses data, so whatever is in doubt counts as changed: extents with any flag but "shared" (compressed, inline, not yet
 * written, encrypted, places that are not aligned or not known), blocks that only one of them is said to share, places beyond what a number
 * holds exactly, and whatever was moved while it was looked at.
 */
import type { Extent } from '@palisade/virtual-disk'
import { type ExtentMap, extentFlags, type MappedExtent } from '../system-calls/extent-map.ts'

/**
 * Compares the maps of two files that nobody writes to.
 *
 * @param range the part of both that is compared
 * @returns what is the same in both, counted from the beginning of the range; in order, not overlapping, and not joined where it touches
 */
export async function* unchangedExtents(
  before: ExtentMap,
  now: ExtentMap,
  range: Extent,
): AsyncGenerator<Extent> {
  const end = range.offsetBytes + range.sizeBytes
  let at = range.offsetBytes
  while (at < end) {
    const first = before.read(at, end)
    const second = now.read(at, first.knownTo)
    // Blocks may be moved meanwhile, and others be put to where they were.
    const again = before.read(at, second.knownTo)
    const to = Math.min(first.knownTo, second.knownTo, again.knownTo)
    for (const { offsetBytes, sizeBytes } of sameIn({ from: at, to }, [first, second, again])) {
      yield { offsetBytes: offsetBytes - range.offsetBytes, sizeBytes }
    }
    at = to
    await new Promise(setImmediate)
  }
}

/** The parts of a window that have the same blocks in all maps, or are holes in all. */
export function* sameIn(
  { from, to }: { readonly from: number; readonly to: number },
  maps: readonly { readonly extents: readonly MappedExtent[] }[],
): Generator<Extent> {
  const cursors = maps.map(({ extents }) => new Cursor(extents))
  let at = from
  while (at < to) {
    const places = cursors.map((cursor) => cursor.moveTo(at))
    const next = Math.min(to, ...cursors.map((cursor) => cursor.changeAfter(at)))
    if (places.every((place) => place === places[0] && place !== 'doubtful')) {
      yield { offsetBytes: at, sizeBytes: next - at }
    }
    at = next
  }
}

/** Where a byte of a file lies, as the distance from its place in the file to its place on the disk. */
type Place = number | 'hole' | 'doubtful'

class Cursor {
  readonly #extents: readonly MappedExtent[]
  #index = 0

  constructor(extents: readonly MappedExtent[]) {
    this.#extents = extents
  }

  /** Places are asked for in ascending order. */
  moveTo(at: number): Place {
    for (let extent = this.#extents[this.#index]; extent !== undefined; extent = this.#extents[this.#index]) {
      if (extent.offsetBytes > at) return 'hole'
      if (endOf(extent) > at) return placeOf(extent)
      this.#index++
    }
    return 'hole'
  }

  changeAfter(at: number): number {
    const extent = this.#extents[this.#index]
    if (extent === undefined) return Number.POSITIVE_INFINITY
    return extent.offsetBytes > at ? extent.offsetBytes : endOf(extent)
  }
}

function placeOf({ flags, placeBytes, offsetBytes, sizeBytes }: MappedExtent): Place {
  const isCertain =
    (flags & ~extentFlags.last) === extentFlags.shared && Number.isSafeInteger(placeBytes + sizeBytes)
  return isCertain ? placeBytes - offsetBytes : 'doubtful'
}

function endOf({ offsetBytes, sizeBytes }: Extent): number {
  return offsetBytes + sizeBytes
}
