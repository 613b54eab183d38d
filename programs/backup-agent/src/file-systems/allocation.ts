/**
 * Which bytes of a volume its file system has given away, from the file system's own bitmap. What it has not, holds
 * nothing that anybody could read through it, and need not be backed up.
 *
 * A wrong answer here loses data, so nothing is taken on trust: a file system that was not closed, that has features
 * unknown here, or whose bitmap disagrees with what else it says about itself, is read whole or, where a part of it
 * can be told apart, in that part.
 */
import { DiskFailure, type Extent } from '@palisade/virtual-disk'

/** What of a volume must be read. */
export type Allocation =
  /** In order, not overlapping, and within the volume; may be gone through again. */
  | { readonly kind: 'extents'; readonly extents: () => AsyncIterable<Extent> }
  /** All of it, for a reason that can follow the words "reading the whole volume: ". */
  | { readonly kind: 'whole'; readonly why: string }

/**
 * The extents in use as a reader of bitmaps finds them, put in good shape: those that touch are joined, empty ones left
 * out; and when a structure turns out to lie beyond the volume's end, everything from there on is in use.
 *
 * @param extents in order and not overlapping; may reject with DiskFailure
 */
export async function* usableExtents(
  extents: AsyncIterable<Extent>,
  volumeSizeBytes: number,
): AsyncGenerator<Extent> {
  let open: Extent = { offsetBytes: 0, sizeBytes: 0 }
  for await (const extent of orElseTheRest(extents, volumeSizeBytes)) {
    if (open.offsetBytes + open.sizeBytes === extent.offsetBytes) {
      open = { offsetBytes: open.offsetBytes, sizeBytes: open.sizeBytes + extent.sizeBytes }
    } else if (extent.sizeBytes > 0) {
      if (open.sizeBytes > 0) yield open
      open = extent
    }
  }
  if (open.sizeBytes > 0) yield open
}

async function* orElseTheRest(
  extents: AsyncIterable<Extent>,
  volumeSizeBytes: number,
): AsyncGenerator<Extent> {
  let endBytes = 0
  try {
    for await (const extent of extents) {
      yield extent
      endBytes = extent.offsetBytes + extent.sizeBytes
    }
  } catch (error) {
    if (!(error instanceof DiskFailure)) throw error
    yield { offsetBytes: endBytes, sizeBytes: volumeSizeBytes - endBytes }
  }
}
