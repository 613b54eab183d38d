import { type ByteSource, readBytes } from '../byte-source.ts'
import { type BlockContent, readThroughBlocks } from '../disk/block-disk.ts'
import { pagedTable } from '../disk/paged-table.ts'
import type { ParentOpener, VirtualDisk } from '../disk/virtual-disk.ts'
import { MIB } from '../extent.ts'
import { type DynamicPart, readVhdFile } from './file.ts'
import { ABSENT_BLOCK, BAT_ENTRY_SIZE_BYTES, bitmapSizeBytes, VHD_SECTOR_SIZE_BYTES } from './layout.ts'
import { readParentReference } from './parent-paths.ts'

/** A fixed disk has no blocks; it is read in pieces of this size. */
const FIXED_PIECE_SIZE_BYTES = 2 * MIB

/**
 * Opens a VHD; `openParent` is called for a differencing one. The size is the footer's current size
 * whoever made the disk; some programs would compute a smaller one from the geometry.
 */
export async function openVhd(file: ByteSource, openParent: ParentOpener): Promise<VirtualDisk> {
  const { footer, dynamic } = await readVhdFile(file)
  const parent =
    footer.type === 'differencing' && dynamic !== undefined
      ? await openParent(await readParentReference(file, dynamic))
      : undefined
  return readThroughBlocks({
    format: 'vhd',
    allocation: footer.type,
    sizeBytes: footer.sizeBytes,
    blockSizeBytes: dynamic?.blockSizeBytes ?? FIXED_PIECE_SIZE_BYTES,
    logicalSectorSizeBytes: VHD_SECTOR_SIZE_BYTES,
    diskId: footer.uniqueId,
    linkId: footer.uniqueId,
    parent,
    file,
    locate: dynamic === undefined ? locateFixed : blockLocator(file, dynamic, parent !== undefined),
  })
}

async function locateFixed(block: number): Promise<BlockContent> {
  return { kind: 'data', fileOffsetBytes: block * FIXED_PIECE_SIZE_BYTES }
}

/**
 * The bitmap counts in differencing disks only. In a dynamic disk a clear bit says that a sector was never
 * written; what is stored there is zero, or was written by a program that does not keep the bitmap.
 */
function blockLocator(
  file: ByteSource,
  dynamic: DynamicPart,
  hasParent: boolean,
): (block: number) => Promise<BlockContent> {
  const table = pagedTable(file, dynamic.table)
  const bitmapSize = bitmapSizeBytes(dynamic.blockSizeBytes)
  return async (block) => {
    const { page, at } = await table.locate(block * BAT_ENTRY_SIZE_BYTES)
    const sector = page.readUInt32BE(at)
    if (sector === ABSENT_BLOCK) return { kind: hasParent ? 'parent' : 'zero' }
    const bitmapOffset = sector * VHD_SECTOR_SIZE_BYTES
    const fileOffsetBytes = bitmapOffset + bitmapSize
    if (!hasParent) return { kind: 'data', fileOffsetBytes }
    const bits = await readBytes(file, bitmapOffset, bitmapSize)
    const isOwn = (index: number): boolean => (bits.readUInt8(index >>> 3) & (0x80 >>> (index & 7))) !== 0
    return { kind: 'mixed', fileOffsetBytes, isOwn }
  }
}
