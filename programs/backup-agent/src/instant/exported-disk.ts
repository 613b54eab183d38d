import type { ByteSource, Extent } from '@palisade/virtual-disk'

/** A disk that others may read. Reads may run side by side. */
export interface ExportedDisk extends ByteSource {
  /** What the parts of a range are, in order and without gaps; parts that touch may be of one kind. */
  extents(range: Extent): Iterable<Extent & { readonly isZero: boolean }>
}
