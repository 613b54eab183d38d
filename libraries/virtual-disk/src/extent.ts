import { requireArgument } from './failure.ts'

/** Bytes. */
export const KIB = 1024
/** Bytes. */
export const MIB = 1024 * KIB

/** A range of bytes on a disk or in a file. */
export interface Extent {
  readonly offsetBytes: number
  readonly sizeBytes: number
}

/** Bytes and the place they belong to. */
export interface Region {
  readonly offsetBytes: number
  readonly bytes: Uint8Array
}

/** The smallest multiple of `multiple` that is not below `value`; exact up to 2^53. */
export function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple
}

/** Whether two ranges have a byte in common. */
export function overlaps(a: Extent, b: Extent): boolean {
  return a.offsetBytes < b.offsetBytes + b.sizeBytes && b.offsetBytes < a.offsetBytes + a.sizeBytes
}

/** Refuses anything but a whole number of bytes, zero or more, that a double can hold exactly. */
export function requireByteCount(value: number, name: string): void {
  requireArgument(
    Number.isSafeInteger(value) && value >= 0,
    `${name} must be a whole number of bytes, not ${value}`,
  )
}

/** The range a region covers. */
export function extentOf(region: Region): Extent {
  return { offsetBytes: region.offsetBytes, sizeBytes: region.bytes.byteLength }
}

/** The index of the first of the ordered, disjoint extents that has a byte at `position` or behind it. */
export function firstEndingAfter(extents: readonly Extent[], position: number): number {
  let low = 0
  let high = extents.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const extent = extents[middle]
    if (extent !== undefined && extent.offsetBytes + extent.sizeBytes > position) high = middle
    else low = middle + 1
  }
  return low
}
