/**
 * The metadata region: a table of 64 KiB and the items behind it.
 *
 *     "metadata" | 0 u16 | entry count u16, at most 2047 | 20 zero bytes | entries of 32 bytes
 *     entry: item GUID | offset u32 from the region's start | length u32 | flags u32 | 0 u32
 *     flags: 1 IsUser, 2 IsVirtualDisk, 4 IsRequired
 *
 * Nothing covers this region with a checksum. Items of a disk, all of them mandatory:
 *
 *     file parameters       block size u32 | bits u32: 0 LeaveBlocksAllocated (fixed), 1 HasParent
 *     virtual disk size     u64
 *     virtual disk id       GUID (SCSI page 83)
 *     logical sector size   u32
 *     physical sector size  u32
 *     parent locator        differencing disks only; see parent-locator.ts
 */
import { KIB } from '../extent.ts'
import { guidBytes } from '../guid.ts'

/** The first eight bytes of the table. */
export const METADATA_MAGIC = 'metadata'
/** Of the header and room for all entries; no item starts before it ends. */
export const METADATA_TABLE_SIZE_BYTES = 64 * KIB
/** From the start of the table: the size of its header. */
export const METADATA_ENTRIES_OFFSET = 32
/** Of each entry of the table. */
export const METADATA_ENTRY_SIZE_BYTES = 32
/** The limit of the specification: what fits behind the header of the table. */
export const METADATA_ENTRIES_MAX = 2047
/** The limit of the specification for one item. */
export const METADATA_ITEM_SIZE_BYTES_MAX = 1024 * KIB

/** Bits of an entry of the table. */
export const itemFlags = { isUser: 1, isVirtualDisk: 2, isRequired: 4 } as const
/** Bits of the item "File Parameters". */
export const fileParameterBits = { leaveBlocksAllocated: 1, hasParent: 2 } as const

/** The GUIDs of the items that the specification knows. */
export const itemIds = {
  fileParameters: 'CAA16737-FA36-4D43-B3B6-33F0AA44E76B',
  virtualDiskSize: '2FA54224-CD1B-4876-B211-5DBED83BF4B8',
  virtualDiskId: 'BECA12AB-B2E6-4523-93EF-C309E000C746',
  logicalSectorSize: '8141BF1D-A96F-4709-BA47-F233A8FAAB5F',
  physicalSectorSize: 'CDA348C7-445D-4471-9CC9-E9885251C556',
  parentLocator: 'A8D35F2D-B30B-454D-ABF7-D3D84834AB0C',
} as const

/** The items of a disk, decoded. `diskId` is the GUID that SCSI page 83h shows. */
export interface VhdxMetadata {
  readonly blockSizeBytes: number
  readonly leaveBlocksAllocated: boolean
  readonly virtualSizeBytes: number
  readonly diskId: string
  readonly logicalSectorSizeBytes: number
  readonly physicalSectorSizeBytes: number
}

/** Table and items of a disk without a parent, items packed behind the table; the rest of the region is zero. */
export function encodeMetadata(metadata: VhdxMetadata): Buffer {
  const forDisk = itemFlags.isVirtualDisk | itemFlags.isRequired
  const items: readonly (readonly [string, number, Buffer])[] = [
    [itemIds.fileParameters, itemFlags.isRequired, fileParameters(metadata)],
    [itemIds.virtualDiskSize, forDisk, u64(metadata.virtualSizeBytes)],
    [itemIds.virtualDiskId, forDisk, guidBytes(metadata.diskId, 'mixed')],
    [itemIds.logicalSectorSize, forDisk, u32(metadata.logicalSectorSizeBytes)],
    [itemIds.physicalSectorSize, forDisk, u32(metadata.physicalSectorSizeBytes)],
  ]
  const table = Buffer.alloc(METADATA_TABLE_SIZE_BYTES)
  table.write(METADATA_MAGIC, 'latin1')
  table.writeUInt16LE(items.length, 10)
  let itemOffset = METADATA_TABLE_SIZE_BYTES
  for (const [index, [id, flags, content]] of items.entries()) {
    const at = METADATA_ENTRIES_OFFSET + index * METADATA_ENTRY_SIZE_BYTES
    table.set(guidBytes(id, 'mixed'), at)
    table.writeUInt32LE(itemOffset, at + 16)
    table.writeUInt32LE(content.byteLength, at + 20)
    table.writeUInt32LE(flags, at + 24)
    itemOffset += content.byteLength
  }
  return Buffer.concat([table, ...items.map(([, , content]) => content)])
}

function fileParameters(metadata: VhdxMetadata): Buffer {
  const bits = metadata.leaveBlocksAllocated ? fileParameterBits.leaveBlocksAllocated : 0
  return Buffer.concat([u32(metadata.blockSizeBytes), u32(bits)])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
