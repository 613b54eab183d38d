import { type Extent, overlaps } from '../extent.ts'

/** An extent with the name by which a message calls it. */
export interface NamedExtent extends Extent {
  readonly label: string
}

/**
 * Says what is wrong with the places of partitions on a disk, or undefined when nothing is: each must hold
 * at least one sector, start on one, lie within `usable`, and share no byte with another.
 */
export function findMisplacement(
  extents: readonly NamedExtent[],
  usable: Extent,
  sectorSizeBytes: number,
): string | undefined {
  const usableEnd = usable.offsetBytes + usable.sizeBytes
  for (const { label, offsetBytes, sizeBytes } of extents) {
    if (!Number.isSafeInteger(offsetBytes) || !Number.isSafeInteger(sizeBytes) || sizeBytes <= 0) {
      return `${label} has no valid size`
    }
    if (offsetBytes % sectorSizeBytes !== 0 || sizeBytes % sectorSizeBytes !== 0) {
      return `${label} does not start and end on a sector of ${sectorSizeBytes} bytes`
    }
    if (offsetBytes < usable.offsetBytes || offsetBytes + sizeBytes > usableEnd) {
      return `${label} lies outside the usable bytes ${usable.offsetBytes} to ${usableEnd}`
    }
  }
  const ordered = extents.toSorted((a, b) => a.offsetBytes - b.offsetBytes)
  for (const [index, extent] of ordered.entries()) {
    const next = ordered[index + 1]
    if (next !== undefined && overlaps(extent, next)) return `${extent.label} overlaps ${next.label}`
  }
  return undefined
}
