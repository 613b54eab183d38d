import type { Extent } from '../extent.ts'
import type { SectorSizeBytes } from '../partitions/partition-table.ts'
import type { Allocation, DiskFormat } from './disk-plan.ts'

/** What a disk shall be, for a plan of it. */
export interface DiskRequest {
  readonly format: DiskFormat
  readonly allocation: Allocation
  /** A whole number of logical sectors; VHD up to 2040 GiB, VHDX up to 64 TiB. */
  readonly virtualSizeBytes: number
  /**
   * The parts of the disk that may hold anything but zeros, in any order; they may touch and overlap. A
   * dynamic disk stores the blocks they touch and no others. A fixed disk stores all blocks.
   */
  readonly data: Iterable<Extent>
  /** 2 MiB unless given. VHDX: a power of two from 1 to 256 MiB. VHD: 512 KiB or 2 MiB. */
  readonly blockSizeBytes?: number
  /** 512 unless given, and always for VHD. */
  readonly logicalSectorSizeBytes?: SectorSizeBytes
  /** VHDX only; 4096 unless given. */
  readonly physicalSectorSizeBytes?: SectorSizeBytes
  /** Random unless given. */
  readonly diskId?: string
  /** VHD only: what its timestamp says; now unless given. */
  readonly createdAt?: Date
}
