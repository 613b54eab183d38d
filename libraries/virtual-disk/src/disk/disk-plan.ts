import type { SectorSizeBytes } from '../partitions/partition-table.ts'
import type { BlockSet } from './block-set.ts'

/** What a file looks like outside. */
export type DiskFormat = 'vhd' | 'vhdx'

/** A dynamic disk stores the blocks that are in use; a fixed disk has room for all of them. */
export type Allocation = 'dynamic' | 'fixed'

/**
 * Where everything in a disk's file will be, decided before the first byte is written. The k-th present
 * block lies at `firstBlockOffsetBytes + k * blockStrideBytes`; so blocks can be written in any order, by
 * several threads, or in one forward stream.
 *
 * Plain data: a plan may be sent to worker threads, and everything else is a function over it.
 */
export interface DiskPlanBase {
  readonly allocation: Allocation
  /** What the guest sees. */
  readonly virtualSizeBytes: number
  /** What the file takes when it is complete. */
  readonly fileSizeBytes: number
  readonly blockSizeBytes: number
  readonly logicalSectorSizeBytes: SectorSizeBytes
  /** VHD: the unique id of the file. VHDX: the page 83 identifier of the disk. */
  readonly diskId: string
  readonly blocks: BlockSet
  readonly firstBlockOffsetBytes: number
  readonly blockStrideBytes: number
}

/** The plan of a VHD. */
export interface VhdPlan extends DiskPlanBase {
  readonly format: 'vhd'
  /** When the disk says it was made: seconds since 2000-01-01T00:00:00Z. */
  readonly timestampSeconds: number
}

/** The plan of a VHDX. */
export interface VhdxPlan extends DiskPlanBase {
  readonly format: 'vhdx'
  readonly physicalSectorSizeBytes: SectorSizeBytes
  readonly fileWriteId: string
  /** Changes whenever what the guest sees does; differencing disks remember their parent's. */
  readonly dataWriteId: string
}

/** Where everything in the file of a disk will be; made by `planDisk` and `planCopy`. */
export type DiskPlan = VhdPlan | VhdxPlan
