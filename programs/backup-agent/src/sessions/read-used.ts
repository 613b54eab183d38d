import { alignedLength, alignmentBytes } from '@palisade/vault/chunks'
import type { Extent } from '@palisade/virtual-disk'

/** One more read costs as much as so many bytes more in a read. */
const gapMaxBytes = 128 * 1024

/** Fills a part of a buffer from the source, from the same place of the range on. */
export type ReadPart = (offsetBytes: number, sizeBytes: number) => Promise<void>

/**
 * Reads those bytes of a range that are in use into the beginning of a buffer, and makes the others zeros. Free bytes
 * between used ones are read along where that is quicker.
 *
 * @param target the range's bytes; longer than the range when its length is not good for direct input
 * @param allocated parts of the range in use, in order and not overlapping
 */
export async function readUsed(
  target: Buffer,
  sizeBytes: number,
  allocated: readonly Extent[],
  read: ReadPart,
): Promise<void> {
  for (const { offsetBytes, sizeBytes: size } of readsFor(allocated)) {
    await read(offsetBytes, Math.min(size, target.length - offsetBytes))
  }
  let end = 0
  for (const extent of allocated) {
    target.fill(0, end, extent.offsetBytes)
    end = extent.offsetBytes + extent.sizeBytes
  }
  target.fill(0, end, sizeBytes)
}

/** Reads that begin and end where direct input can. */
function* readsFor(allocated: readonly Extent[]): Generator<Extent> {
  let open: { from: number; end: number } | undefined
  for (const { offsetBytes, sizeBytes } of allocated) {
    const from = offsetBytes - (offsetBytes % alignmentBytes)
    const end = alignedLength(offsetBytes + sizeBytes)
    if (open !== undefined && from - open.end <= gapMaxBytes) {
      open.end = end
      continue
    }
    if (open !== undefined) yield { offsetBytes: open.from, sizeBytes: open.end - open.from }
    open = { from, end }
  }
  if (open !== undefined) yield { offsetBytes: open.from, sizeBytes: open.end - open.from }
}
