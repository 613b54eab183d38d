import type { ByteSource } from '../byte-source.ts'
import type { Extent } from '../extent.ts'
import type { SectorSizeBytes } from '../partitions/partition-table.ts'
import type { Allocation, DiskFormat } from './disk-plan.ts'

/** Where the bytes of a part of a disk come from. */
export interface DiskExtent extends Extent {
  /** `zero` parts are not stored anywhere; `parent` parts are those of the parent disk. */
  readonly kind: 'data' | 'zero' | 'parent'
}

/** A format with blocks and headers, or the bytes of the disk and nothing else. */
export type ImageFormat = DiskFormat | 'raw'

/** An open disk. As a {@link ByteSource} it gives what the guest sees, parents included. */
export interface VirtualDisk extends ByteSource {
  readonly format: ImageFormat
  readonly allocation: Allocation | 'differencing'
  /** The unit of allocation; of disks that have none, the unit in which they are read. */
  readonly blockSizeBytes: number
  readonly logicalSectorSizeBytes: SectorSizeBytes
  /** All zero for a raw disk. */
  readonly diskId: string
  /** What differencing disks on top of this one remember: VHD its unique id, VHDX its DataWriteGuid. */
  readonly linkId: string
  readonly parent: VirtualDisk | undefined
  /**
   * From the first byte of the range to its last, without gaps; neighbours are of different kinds. The whole disk
   * unless a range is given, which must lie within it.
   */
  extents(range?: Extent): AsyncGenerator<DiskExtent>
}

/** What a differencing disk says about its parent. */
export interface ParentReference {
  readonly format: DiskFormat
  /** The parent's {@link VirtualDisk.linkId} is one of these. */
  readonly linkIds: readonly string[]
  /** Where the parent was, as Windows paths, in the order in which to try them. */
  readonly paths: readonly string[]
}

/**
 * Finds the file of a parent; undefined when there is none. Called once for each disk in a chain. The
 * disk that is opened reads from what this returns for as long as it is used, and closes nothing.
 */
export type ParentResolver = (reference: ParentReference) => Promise<ByteSource | undefined>

/** Opens the parent of the disk that is being opened, or rejects. */
export type ParentOpener = (reference: ParentReference) => Promise<VirtualDisk>
