import { type ByteSource, readBytes } from '../byte-source.ts'
import type { Allocation, DiskFormat } from '../disk/disk-plan.ts'
import type { ParentReference } from '../disk/virtual-disk.ts'
import { NO_GUID } from '../guid.ts'
import { readVhdFile } from '../vhd/file.ts'
import { timeOfTimestamp } from '../vhd/footer.ts'
import { VHD_SECTOR_SIZE_BYTES } from '../vhd/layout.ts'
import { readParentReference } from '../vhd/parent-paths.ts'
import { readVhdxFile } from '../vhdx/file.ts'
import { CREATOR_SIZE_BYTES, FILE_IDENTIFIER } from '../vhdx/layout.ts'
import { requireFormat } from './detect-format.ts'

/** What a file says of the disk in it. */
export interface DiskDescription {
  readonly format: DiskFormat
  readonly allocation: Allocation | 'differencing'
  readonly virtualSizeBytes: number
  /** Of this file alone, without parents. */
  readonly fileSizeBytes: number
  /** Undefined for a fixed VHD, which has no blocks. */
  readonly blockSizeBytes: number | undefined
  readonly logicalSectorSizeBytes: number
  /** Undefined for a VHD, which does not say. */
  readonly physicalSectorSizeBytes: number | undefined
  readonly diskId: string
  /** What differencing disks on top of this one remember. */
  readonly linkId: string
  /** The program that made the file, in its own words; empty when it does not say. */
  readonly creator: string
  /** Undefined for a VHDX, which does not say. */
  readonly createdAt: Date | undefined
  /** Whether the file was not closed: readers must replay its log first. Never so for a VHD. */
  readonly hasLogToReplay: boolean
  /** Undefined for a disk that stands alone. */
  readonly parent: ParentReference | undefined
}

/**
 * Reads what a VHD or VHDX says of itself, as `openDisk` does, but without its parent: for showing it, and for
 * finding the parent. Rejects as `openDisk` does.
 */
export async function describeDisk(
  source: ByteSource,
  options: { readonly format?: DiskFormat } = {},
): Promise<DiskDescription> {
  const format = await requireFormat(source, options.format)
  return format === 'vhd' ? describeVhd(source) : describeVhdx(source)
}

async function describeVhd(source: ByteSource): Promise<DiskDescription> {
  const { footer, dynamic } = await readVhdFile(source)
  const isChild = footer.type === 'differencing' && dynamic !== undefined
  return {
    format: 'vhd',
    allocation: footer.type,
    virtualSizeBytes: footer.sizeBytes,
    fileSizeBytes: source.sizeBytes,
    blockSizeBytes: dynamic?.blockSizeBytes,
    logicalSectorSizeBytes: VHD_SECTOR_SIZE_BYTES,
    physicalSectorSizeBytes: undefined,
    diskId: footer.uniqueId,
    linkId: footer.uniqueId,
    creator: upToZero(footer.creator).trim(),
    createdAt: timeOfTimestamp(footer.timestampSeconds),
    hasLogToReplay: false,
    parent: isChild ? await readParentReference(source, dynamic) : undefined,
  }
}

async function describeVhdx(source: ByteSource): Promise<DiskDescription> {
  const { header, metadata } = await readVhdxFile(source)
  const { parentLocator } = metadata
  const alone = metadata.leaveBlocksAllocated ? 'fixed' : 'dynamic'
  const creator = await readBytes(source, FILE_IDENTIFIER.length, CREATOR_SIZE_BYTES)
  return {
    format: 'vhdx',
    allocation: parentLocator === undefined ? alone : 'differencing',
    virtualSizeBytes: metadata.virtualSizeBytes,
    fileSizeBytes: source.sizeBytes,
    blockSizeBytes: metadata.blockSizeBytes,
    logicalSectorSizeBytes: metadata.logicalSectorSizeBytes,
    physicalSectorSizeBytes: metadata.physicalSectorSizeBytes,
    diskId: metadata.diskId,
    linkId: header.dataWriteId,
    creator: upToZero(creator.toString('utf16le')),
    createdAt: undefined,
    hasLogToReplay: header.logId !== NO_GUID,
    parent: parentLocator && { format: 'vhdx', ...parentLocator },
  }
}

function upToZero(text: string): string {
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}
