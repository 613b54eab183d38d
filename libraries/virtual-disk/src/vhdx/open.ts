import { type ByteSource, readBytes } from '../byte-source.ts'
import { type BlockContent, readThroughBlocks, type SectorBitmap } from '../disk/block-disk.ts'
import { pagedTable } from '../disk/paged-table.ts'
import type { ParentOpener, VirtualDisk } from '../disk/virtual-disk.ts'
import { MIB } from '../extent.ts'
import { DiskFailure } from '../failure.ts'
import type { SectorSizeBytes } from '../partitions/partition-table.ts'
import {
  BAT_ENTRY_SIZE_BYTES,
  batIndexOfBitmap,
  batIndexOfBlock,
  bitmapState,
  blockState,
  decodeBatEntry,
  SECTOR_BITMAP_SIZE_BYTES,
} from './block-table.ts'
import { readVhdxFile, type VhdxFile } from './file.ts'

/** Opens a VHDX; `openParent` is called for a differencing one. */
export async function openVhdx(file: ByteSource, openParent: ParentOpener): Promise<VirtualDisk> {
  const vhdx = await readVhdxFile(file)
  const { metadata, header, source } = vhdx
  const { parentLocator, blockSizeBytes } = metadata
  const parent = parentLocator && (await openParent({ format: 'vhdx', ...parentLocator }))
  return readThroughBlocks({
    format: 'vhdx',
    allocation: parent !== undefined ? 'differencing' : metadata.leaveBlocksAllocated ? 'fixed' : 'dynamic',
    sizeBytes: metadata.virtualSizeBytes,
    blockSizeBytes,
    logicalSectorSizeBytes: sectorSize(metadata.logicalSectorSizeBytes),
    diskId: metadata.diskId,
    linkId: header.dataWriteId,
    parent,
    file: source,
    locate: blockLocator(vhdx),
  })
}

function sectorSize(sizeBytes: number): SectorSizeBytes {
  return sizeBytes === 4096 ? 4096 : 512
}

/**
 * Blocks that are undefined or unmapped read as zeros, which the specification leaves open; those that are
 * not present read as the parent or, without one, as zeros.
 */
function blockLocator(vhdx: VhdxFile): (block: number) => Promise<BlockContent> {
  const { source, geometry, metadata, regions } = vhdx
  const bat = pagedTable(source, regions.bat)
  const hasParent = metadata.parentLocator !== undefined
  const entryAt = async (index: number): ReturnType<typeof readEntry> => readEntry(bat, index)

  const bitmapOf = async (block: number): Promise<SectorBitmap> => {
    const chunk = Math.floor(block / geometry.chunkRatio)
    const entry = await entryAt(batIndexOfBitmap(chunk, geometry.chunkRatio))
    if (entry.state !== bitmapState.present) {
      throw new DiskFailure('corrupt', `block ${block} is partially present, but has no sector bitmap`)
    }
    const sizeBytes = SECTOR_BITMAP_SIZE_BYTES / geometry.chunkRatio
    const offset = entry.offsetBytes + (block % geometry.chunkRatio) * sizeBytes
    const bits = await readBytes(source, offset, sizeBytes)
    return (sector) => (bits.readUInt8(sector >>> 3) & (1 << (sector & 7))) !== 0
  }

  return async (block) => {
    const { state, offsetBytes } = await entryAt(batIndexOfBlock(block, geometry.chunkRatio))
    switch (state) {
      case blockState.fullyPresent:
        return { kind: 'data', fileOffsetBytes: requirePlace(block, offsetBytes) }
      case blockState.partiallyPresent:
        if (!hasParent)
          throw new DiskFailure('corrupt', `block ${block} is partially present without a parent`)
        return {
          kind: 'mixed',
          fileOffsetBytes: requirePlace(block, offsetBytes),
          isOwn: await bitmapOf(block),
        }
      case blockState.notPresent:
        return { kind: hasParent ? 'parent' : 'zero' }
      case blockState.zero:
      case blockState.undefined:
      case blockState.unmapped:
        return { kind: 'zero' }
      default:
        throw new DiskFailure('corrupt', `block ${block} has the impossible state ${state}`)
    }
  }
}

async function readEntry(
  bat: ReturnType<typeof pagedTable>,
  index: number,
): Promise<ReturnType<typeof decodeBatEntry>> {
  const { page, at } = await bat.locate(index * BAT_ENTRY_SIZE_BYTES)
  return decodeBatEntry(page, at)
}

/** A block cannot be among the headers; a place beyond the end of the file fails when it is read. */
function requirePlace(block: number, offsetBytes: number): number {
  if (offsetBytes >= MIB) return offsetBytes
  throw new DiskFailure('corrupt', `block ${block} lies among the headers`, offsetBytes)
}
