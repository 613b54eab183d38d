/**
 * A region table, 64 KiB:
 *
 *     "regi" | CRC-32C u32 | entry count u32, at most 2047 | 0 u32 | entries of 32 bytes
 *     entry: region GUID | file offset u64 | length u32 | flags u32, bit 0 = required
 *
 * The CRC covers all 64 KiB with its own field zero. Offsets and lengths are multiples of 1 MiB.
 */
import { type Extent, MIB } from '../extent.ts'
import { DiskFailure } from '../failure.ts'
import { guidBytes, readGuid } from '../guid.ts'
import { hasGoodChecksum, sealChecksum } from './header.ts'
import { HEADER_SECTION_SIZE_BYTES, REGION_TABLE_SIZE_BYTES } from './layout.ts'

const MAGIC = 'regi'
const ENTRIES_OFFSET = 16
const ENTRY_SIZE_BYTES = 32
const ENTRIES_MAX = 2047

/** The GUID of the region with the block allocation table. */
export const BAT_REGION = '2DC27766-F623-4200-9D64-115E9BFD4A08'
/** The GUID of the region with the metadata. */
export const METADATA_REGION = '8B7CA206-4790-4B9A-B8FE-575F050F886E'

/** Where the two regions lie that every VHDX has. */
export interface VhdxRegions {
  readonly bat: Extent
  readonly metadata: Extent
}

/** All regions of a file. */
export interface ReadVhdxRegions extends VhdxRegions {
  /** Regions that we do not know and need not know, wherever they lie. */
  readonly others: readonly (Extent & { readonly id: string })[]
}

/** 64 KiB with their CRC-32C; both regions are marked as required. */
export function encodeRegionTable(regions: VhdxRegions): Buffer {
  const bytes = Buffer.alloc(REGION_TABLE_SIZE_BYTES)
  const entries: readonly (readonly [string, Extent])[] = [
    [BAT_REGION, regions.bat],
    [METADATA_REGION, regions.metadata],
  ]
  bytes.write(MAGIC, 'latin1')
  bytes.writeUInt32LE(entries.length, 8)
  for (const [index, [id, extent]] of entries.entries()) {
    const at = ENTRIES_OFFSET + index * ENTRY_SIZE_BYTES
    bytes.set(guidBytes(id, 'mixed'), at)
    bytes.writeBigUInt64LE(BigInt(extent.offsetBytes), at + 16)
    bytes.writeUInt32LE(extent.sizeBytes, at + 24)
    bytes.writeUInt32LE(1, at + 28)
  }
  return sealChecksum(bytes, 4)
}

/**
 * Reads a region table. Refuses one that is damaged, names a required region we do not know, lacks the BAT
 * or the metadata, or places them off the 1 MiB grid or over the headers.
 */
export function decodeRegionTable(bytes: Buffer, offsetBytes: number): ReadVhdxRegions {
  if (bytes.toString('latin1', 0, 4) !== MAGIC) {
    throw new DiskFailure('corrupt', 'no VHDX region table', offsetBytes)
  }
  if (!hasGoodChecksum(bytes, 4)) {
    throw new DiskFailure('checksum-mismatch', 'the VHDX region table has a wrong checksum', offsetBytes)
  }
  const entryCount = bytes.readUInt32LE(8)
  if (entryCount > ENTRIES_MAX) {
    throw new DiskFailure('corrupt', `a region table cannot have ${entryCount} entries`, offsetBytes)
  }
  const regions = new Map<string, Extent>()
  const others: (Extent & { id: string })[] = []
  for (let index = 0; index < entryCount; index++) {
    const at = ENTRIES_OFFSET + index * ENTRY_SIZE_BYTES
    const id = readGuid(bytes, at, 'mixed')
    if (id === BAT_REGION || id === METADATA_REGION) {
      if (regions.has(id)) throw new DiskFailure('corrupt', `region ${id} is there twice`, offsetBytes + at)
      regions.set(id, decodeExtent(bytes, at, offsetBytes))
    } else if ((bytes.readUInt32LE(at + 28) & 1) !== 0) {
      throw new DiskFailure('unsupported', `the file needs the unknown region ${id}`, offsetBytes + at)
    } else others.push({ id, ...storedExtent(bytes, at) })
  }
  const bat = regions.get(BAT_REGION)
  const metadata = regions.get(METADATA_REGION)
  if (bat === undefined) throw new DiskFailure('corrupt', 'the region table names no BAT', offsetBytes)
  if (metadata === undefined)
    throw new DiskFailure('corrupt', 'the region table names no metadata', offsetBytes)
  return { bat, metadata, others }
}

function storedExtent(bytes: Buffer, at: number): Extent {
  return { offsetBytes: Number(bytes.readBigUInt64LE(at + 16)), sizeBytes: bytes.readUInt32LE(at + 24) }
}

function decodeExtent(bytes: Buffer, at: number, tableOffsetBytes: number): Extent {
  const { offsetBytes, sizeBytes } = storedExtent(bytes, at)
  if (
    offsetBytes < HEADER_SECTION_SIZE_BYTES ||
    offsetBytes % MIB !== 0 ||
    sizeBytes % MIB !== 0 ||
    sizeBytes === 0
  ) {
    throw new DiskFailure('corrupt', 'a region is not in whole MiB behind the headers', tableOffsetBytes + at)
  }
  return { offsetBytes, sizeBytes }
}
