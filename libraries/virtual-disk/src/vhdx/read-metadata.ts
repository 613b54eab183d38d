import { type ByteSource, readBytes } from '../byte-source.ts'
import type { Extent } from '../extent.ts'
import { DiskFailure } from '../failure.ts'
import { NO_GUID, readGuid } from '../guid.ts'
import { BLOCK_SIZE_BYTES_MAX, BLOCK_SIZE_BYTES_MIN, VIRTUAL_SIZE_BYTES_MAX } from './layout.ts'
import {
  fileParameterBits,
  itemFlags,
  itemIds,
  METADATA_ENTRIES_MAX,
  METADATA_ENTRIES_OFFSET,
  METADATA_ENTRY_SIZE_BYTES,
  METADATA_ITEM_SIZE_BYTES_MAX,
  METADATA_MAGIC,
  METADATA_TABLE_SIZE_BYTES,
  type VhdxMetadata,
} from './metadata.ts'
import { decodeParentLocator, type ParentLocator } from './parent-locator.ts'

/** The metadata of a disk, with its parent. */
export interface ReadVhdxMetadata extends VhdxMetadata {
  /** Undefined for a disk that stands alone. */
  readonly parentLocator: ParentLocator | undefined
}

/** One entry of the table; `id` is a GUID, `flags` has the bits of `itemFlags`. */
export interface MetadataEntry extends Extent {
  readonly id: string
  readonly flags: number
  /** Where the entry is in the file; `offsetBytes` says where the item is. */
  readonly entryOffsetBytes: number
}

/** Reads all metadata of a disk, refusing what is missing, impossible, or required and unknown. */
export async function readMetadata(source: ByteSource, region: Extent): Promise<ReadVhdxMetadata> {
  const entries = await readMetadataTable(source, region)
  const item = async (name: keyof typeof itemIds, sizeBytes?: number): Promise<Buffer> => {
    const entry = entries.find(({ id }) => id === itemIds[name])
    if (entry === undefined)
      throw new DiskFailure('corrupt', `metadata item ${name} is missing`, region.offsetBytes)
    if (sizeBytes !== undefined && entry.sizeBytes !== sizeBytes) {
      throw new DiskFailure(
        'corrupt',
        `metadata item ${name} has ${entry.sizeBytes} bytes`,
        entry.entryOffsetBytes,
      )
    }
    return readBytes(source, entry.offsetBytes, entry.sizeBytes)
  }
  const parameters = await item('fileParameters', 8)
  const bits = parameters.readUInt32LE(4)
  const metadata: VhdxMetadata = {
    blockSizeBytes: parameters.readUInt32LE(0),
    leaveBlocksAllocated: (bits & fileParameterBits.leaveBlocksAllocated) !== 0,
    virtualSizeBytes: Number((await item('virtualDiskSize', 8)).readBigUInt64LE(0)),
    diskId: readGuid(await item('virtualDiskId', 16), 0, 'mixed'),
    logicalSectorSizeBytes: (await item('logicalSectorSize', 4)).readUInt32LE(0),
    physicalSectorSizeBytes: (await item('physicalSectorSize', 4)).readUInt32LE(0),
  }
  const fault = findFault(metadata)
  if (fault !== undefined) throw new DiskFailure('corrupt', fault, region.offsetBytes)
  const hasParent = (bits & fileParameterBits.hasParent) !== 0
  return {
    ...metadata,
    parentLocator: hasParent ? decodeParentLocator(await item('parentLocator')) : undefined,
  }
}

/** The entries of the table, each item's place within the region made sure of. */
export async function readMetadataTable(source: ByteSource, region: Extent): Promise<MetadataEntry[]> {
  const table = await readBytes(source, region.offsetBytes, METADATA_TABLE_SIZE_BYTES)
  if (table.toString('latin1', 0, METADATA_MAGIC.length) !== METADATA_MAGIC) {
    throw new DiskFailure('corrupt', 'no VHDX metadata table', region.offsetBytes)
  }
  const entryCount = table.readUInt16LE(10)
  if (entryCount > METADATA_ENTRIES_MAX) {
    throw new DiskFailure('corrupt', `a metadata table cannot have ${entryCount} entries`, region.offsetBytes)
  }
  const entries = Array.from({ length: entryCount }, (_, index) => {
    const at = METADATA_ENTRIES_OFFSET + index * METADATA_ENTRY_SIZE_BYTES
    return decodeEntry(table.subarray(at, at + METADATA_ENTRY_SIZE_BYTES), region, region.offsetBytes + at)
  })
  const keys = new Set(entries.map((entry) => `${entry.id} ${entry.flags & itemFlags.isUser}`))
  if (keys.size < entries.length) {
    throw new DiskFailure('corrupt', 'a metadata item is there twice', region.offsetBytes)
  }
  return entries.filter((entry) => (entry.flags & itemFlags.isUser) === 0)
}

function decodeEntry(bytes: Buffer, region: Extent, entryOffsetBytes: number): MetadataEntry {
  const id = readGuid(bytes, 0, 'mixed')
  const offset = bytes.readUInt32LE(16)
  const sizeBytes = bytes.readUInt32LE(20)
  const flags = bytes.readUInt32LE(24)
  const isPlaced = offset >= METADATA_TABLE_SIZE_BYTES && offset + sizeBytes <= region.sizeBytes
  const isEmpty = sizeBytes === 0 && offset === 0
  if (id === NO_GUID || sizeBytes > METADATA_ITEM_SIZE_BYTES_MAX || !(isPlaced || isEmpty)) {
    throw new DiskFailure('corrupt', 'a metadata item lies outside its region', entryOffsetBytes)
  }
  const isKnown = Object.values<string>(itemIds).includes(id)
  if (!isKnown && (flags & itemFlags.isRequired) !== 0) {
    throw new DiskFailure('unsupported', `the file needs the unknown metadata item ${id}`, entryOffsetBytes)
  }
  return { id, flags, offsetBytes: region.offsetBytes + offset, sizeBytes, entryOffsetBytes }
}

function findFault(metadata: VhdxMetadata): string | undefined {
  const { blockSizeBytes, virtualSizeBytes, logicalSectorSizeBytes, physicalSectorSizeBytes } = metadata
  const sectorSizes: readonly number[] = [512, 4096]
  if (!sectorSizes.includes(logicalSectorSizeBytes))
    return `logical sectors of ${logicalSectorSizeBytes} bytes`
  if (!sectorSizes.includes(physicalSectorSizeBytes))
    return `physical sectors of ${physicalSectorSizeBytes} bytes`
  const isPossibleBlock =
    blockSizeBytes >= BLOCK_SIZE_BYTES_MIN &&
    blockSizeBytes <= BLOCK_SIZE_BYTES_MAX &&
    Number.isInteger(Math.log2(blockSizeBytes))
  if (!isPossibleBlock) return `blocks of ${blockSizeBytes} bytes`
  const isPossibleSize = virtualSizeBytes > 0 && virtualSizeBytes <= VIRTUAL_SIZE_BYTES_MAX
  if (!isPossibleSize || virtualSizeBytes % logicalSectorSizeBytes !== 0)
    return `a disk of ${virtualSizeBytes} bytes`
  return undefined
}
