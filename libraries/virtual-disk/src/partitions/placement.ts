import { type Extent, overlaps } from '../extent.ts'

/** An extent with the name by which a message calls it. */
export interface NamedExtent extends Extent {
  readonly label: string
}

/** A fault of a partition's place, with a sentence for people. */
export interface Misplacement<T extends NamedExtent> {
  readonly kind: 'partition-invalid' | 'partition-outside' | 'partition-overlaps'
  readonly message: string
  /** The one that is wrong; of two that overlap, the one that starts later. */
  readonly extent: T
}

/**
 * What is wrong with the places of partitions on a disk: each must hold at least one sector, start on one, lie
 * within `usable`, and share no byte with another.
 */
export function* misplacements<T extends NamedExtent>(
  extents: readonly T[],
  usable: Extent,
  sectorSizeBytes: number,
): Generator<Misplacement<T>> {
  const usableEnd = endOf(usable)
  for (const extent of extents) {
    const { label, offsetBytes, sizeBytes } = extent
    if (!Number.isSafeInteger(offsetBytes) || !Number.isSafeInteger(sizeBytes) || sizeBytes <= 0) {
      yield { kind: 'partition-invalid', message: `${label} has no valid size`, extent }
    } else if (offsetBytes % sectorSizeBytes !== 0 || sizeBytes % sectorSizeBytes !== 0) {
      const message = `${label} does not start and end on a sector of ${sectorSizeBytes} bytes`
      yield { kind: 'partition-invalid', message, extent }
    } else if (offsetBytes < usable.offsetBytes || offsetBytes + sizeBytes > usableEnd) {
      const message = `${label} lies outside the usable bytes ${usable.offsetBytes} to ${usableEnd}`
      yield { kind: 'partition-outside', message, extent }
    }
  }
  /** The one of those before that reaches furthest. */
  let furthest: T | undefined
  for (const extent of extents.toSorted((a, b) => a.offsetBytes - b.offsetBytes)) {
    if (furthest !== undefined && overlaps(furthest, extent)) {
      yield { kind: 'partition-overlaps', message: `${furthest.label} overlaps ${extent.label}`, extent }
    }
    if (furthest === undefined || endOf(extent) > endOf(furthest)) furthest = extent
  }
}

function endOf({ offsetBytes, sizeBytes }: Extent): number {
  return offsetBytes + sizeBytes
}

/** The first thing that is wrong, or undefined when nothing is. */
export function findMisplacement(
  extents: readonly NamedExtent[],
  usable: Extent,
  sectorSizeBytes: number,
): string | undefined {
  const first = misplacements(extents, usable, sectorSizeBytes).next()
  return first.done === true ? undefined : first.value.message
}
