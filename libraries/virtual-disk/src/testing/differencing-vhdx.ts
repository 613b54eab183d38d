import { MIB } from '../extent.ts'
import { guidBytes, NO_GUID, randomGuid } from '../guid.ts'
import { batGeometry, batIndexOfBitmap, bitmapState, blockState } from '../vhdx/block-table.ts'
import { encodeHeader } from '../vhdx/header.ts'
import { HEADER_OFFSETS, REGION_TABLE_OFFSETS } from '../vhdx/layout.ts'
import { encodeMetadata, itemIds } from '../vhdx/metadata.ts'
import { encodeRegionTable } from '../vhdx/region-table.ts'

const BLOCK_SIZE_BYTES = 2 * MIB
const SECTOR_SIZE_BYTES = 512
const BITMAP_OFFSET = 4 * MIB
const FIRST_BLOCK_OFFSET = 5 * MIB
const LOCATOR_OFFSET = 66 * 1024

/**
 * A differencing VHDX of at most one chunk (4 GiB) that has some sectors of its own, and on top of that
 * whole blocks that are zero or fully present.
 */
export function differencingVhdx(of: {
  readonly sizeBytes: number
  readonly parentLinkId: string
  readonly parentName: string
  readonly dataWriteId?: string
  readonly sectors: ReadonlyMap<number, Uint8Array>
  readonly zeroBlocks?: readonly number[]
  readonly fullBlocks?: ReadonlyMap<number, Uint8Array>
}): Buffer {
  const { blockCount, chunkRatio, entryCount } = batGeometry({
    virtualSizeBytes: of.sizeBytes,
    blockSizeBytes: BLOCK_SIZE_BYTES,
    logicalSectorSizeBytes: SECTOR_SIZE_BYTES,
    hasParent: true,
  })
  const bat = Buffer.alloc(MIB)
  const bitmap = Buffer.alloc(MIB)
  const sectorsPerBlock = BLOCK_SIZE_BYTES / SECTOR_SIZE_BYTES
  const blocks: Buffer[] = []
  const add = (block: number, state: number, bytes: Buffer): void => {
    const place = FIRST_BLOCK_OFFSET + blocks.length * BLOCK_SIZE_BYTES
    bat.writeBigUInt64LE(BigInt(place) | BigInt(state), block * 8)
    blocks.push(bytes)
  }
  for (let block = 0; block < blockCount; block++) {
    const full = of.fullBlocks?.get(block)
    if (full !== undefined) add(block, blockState.fullyPresent, Buffer.from(full))
    if (of.zeroBlocks?.includes(block)) bat.writeBigUInt64LE(BigInt(blockState.zero), block * 8)
    const own = [...of.sectors].filter(([sector]) => Math.floor(sector / sectorsPerBlock) === block)
    if (own.length === 0) continue
    const bytes = Buffer.alloc(BLOCK_SIZE_BYTES)
    for (const [sector, content] of own) {
      bitmap.writeUInt8(bitmap.readUInt8(sector >>> 3) | (1 << (sector & 7)), sector >>> 3)
      bytes.set(content, (sector % sectorsPerBlock) * SECTOR_SIZE_BYTES)
    }
    add(block, blockState.partiallyPresent, bytes)
  }
  bat.writeBigUInt64LE(
    BigInt(BITMAP_OFFSET) | BigInt(bitmapState.present),
    batIndexOfBitmap(0, chunkRatio) * 8,
  )
  if (entryCount * 8 > MIB) throw new Error('the disk has more than one chunk')

  const front = Buffer.alloc(FIRST_BLOCK_OFFSET)
  front.write('vhdxfile', 'latin1')
  for (const [index, offset] of HEADER_OFFSETS.entries()) {
    const header = encodeHeader({
      sequence: BigInt(index + 1),
      fileWriteId: randomGuid(),
      dataWriteId: of.dataWriteId ?? randomGuid(),
      logId: NO_GUID,
      logVersion: 0,
      logOffsetBytes: MIB,
      logSizeBytes: MIB,
    })
    front.set(header, offset)
  }
  const regions = encodeRegionTable({
    metadata: { offsetBytes: 2 * MIB, sizeBytes: MIB },
    bat: { offsetBytes: 3 * MIB, sizeBytes: MIB },
  })
  for (const offset of REGION_TABLE_OFFSETS) front.set(regions, offset)
  writeMetadata(front.subarray(2 * MIB, 3 * MIB), of)
  front.set(bat, 3 * MIB)
  front.set(bitmap, BITMAP_OFFSET)
  return Buffer.concat([front, ...blocks])
}

function writeMetadata(region: Buffer, of: Parameters<typeof differencingVhdx>[0]): void {
  const metadata = encodeMetadata({
    blockSizeBytes: BLOCK_SIZE_BYTES,
    leaveBlocksAllocated: false,
    virtualSizeBytes: of.sizeBytes,
    diskId: randomGuid(),
    logicalSectorSizeBytes: SECTOR_SIZE_BYTES,
    physicalSectorSizeBytes: 4096,
  })
  const locator = parentLocator({
    parent_linkage: `{${of.parentLinkId.toLowerCase()}}`,
    relative_path: `.\\${of.parentName}`,
    absolute_win32_path: `\\\\?\\d:\\disks\\${of.parentName}`,
  })
  const entry = 32 + 5 * 32
  region.set(metadata)
  region.writeUInt16LE(6, 10)
  region.set(guidBytes(itemIds.parentLocator, 'mixed'), entry)
  region.writeUInt32LE(LOCATOR_OFFSET, entry + 16)
  region.writeUInt32LE(locator.byteLength, entry + 20)
  region.writeUInt32LE(4, entry + 24)
  region.writeUInt32LE(2, 64 * 1024 + 4)
  region.set(locator, LOCATOR_OFFSET)
}

function parentLocator(values: Readonly<Record<string, string>>): Buffer {
  const pairs = Object.entries(values)
  const head = Buffer.alloc(20 + pairs.length * 12)
  head.set(guidBytes('B04AEFB7-D19E-4A81-B789-25B8E9445913', 'mixed'))
  head.writeUInt16LE(pairs.length, 18)
  const texts: Buffer[] = []
  let offset = head.byteLength
  for (const [index, pair] of pairs.entries()) {
    for (const [column, text] of pair.entries()) {
      const bytes = Buffer.from(text, 'utf16le')
      head.writeUInt32LE(offset, 20 + index * 12 + column * 4)
      head.writeUInt16LE(bytes.byteLength, 20 + index * 12 + 8 + column * 2)
      offset += bytes.byteLength
      texts.push(bytes)
    }
  }
  return Buffer.concat([head, ...texts])
}
