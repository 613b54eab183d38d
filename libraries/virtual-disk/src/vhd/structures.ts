import { hasBlock } from '../disk/block-set.ts'
import type { VhdPlan } from '../disk/disk-plan.ts'
import { placeOfBlock } from '../disk/place.ts'
import { MIB, type Region } from '../extent.ts'
import { encodeDynamicHeader } from './dynamic-header.ts'
import { encodeFooter } from './footer.ts'
import { geometryOf } from './geometry.ts'
import {
  ABSENT_BLOCK,
  BAT_ENTRY_SIZE_BYTES,
  BAT_OFFSET,
  bitmapSizeBytes,
  DYNAMIC_HEADER_OFFSET,
  FOOTER_SIZE_BYTES,
  VHD_SECTOR_SIZE_BYTES,
} from './layout.ts'

/** The dynamic header and the block table; nothing for a fixed disk. */
export function* vhdTables(plan: VhdPlan): Generator<Region> {
  if (plan.allocation === 'fixed') return
  yield { offsetBytes: DYNAMIC_HEADER_OFFSET, bytes: dynamicHeader(plan) }
  yield* tablePieces(plan)
}

/** The footer and, for a dynamic disk, its copy. */
export function vhdSeals(plan: VhdPlan): readonly Region[] {
  const isDynamic = plan.allocation === 'dynamic'
  const bytes = encodeFooter({
    type: plan.allocation,
    dynamicHeaderOffsetBytes: isDynamic ? DYNAMIC_HEADER_OFFSET : undefined,
    timestampSeconds: plan.timestampSeconds,
    sizeBytes: plan.virtualSizeBytes,
    geometry: geometryOf(plan.virtualSizeBytes),
    uniqueId: plan.diskId,
  })
  const footer = { offsetBytes: plan.fileSizeBytes - FOOTER_SIZE_BYTES, bytes }
  return isDynamic ? [{ offsetBytes: 0, bytes }, footer] : [footer]
}

const ones = new Uint8Array(bitmapSizeBytes(2 * MIB)).fill(0xff)

/**
 * What precedes the data of a block: the bitmap of its sectors. All are in use, because some readers take a
 * clear bit for zeros. Empty for a fixed disk.
 */
export function vhdPreamble(plan: VhdPlan): Uint8Array {
  return ones.subarray(0, plan.allocation === 'dynamic' ? bitmapSizeBytes(plan.blockSizeBytes) : 0)
}

function dynamicHeader(plan: VhdPlan): Buffer {
  const { blocks, blockSizeBytes } = plan
  return encodeDynamicHeader({
    tableOffsetBytes: BAT_OFFSET,
    tableEntryCount: blocks.blockCount,
    blockSizeBytes,
  })
}

function* tablePieces(plan: VhdPlan): Generator<Region> {
  const { blocks, blockSizeBytes } = plan
  const entriesPerPiece = MIB / BAT_ENTRY_SIZE_BYTES
  const entriesPerSector = VHD_SECTOR_SIZE_BYTES / BAT_ENTRY_SIZE_BYTES
  let rank = 0
  for (let first = 0; first < blocks.blockCount; first += entriesPerPiece) {
    const entryCount = Math.min(entriesPerPiece, blocks.blockCount - first)
    const bytes = Buffer.alloc(Math.ceil(entryCount / entriesPerSector) * VHD_SECTOR_SIZE_BYTES, 0xff)
    for (let index = 0; index < entryCount; index++) {
      const at = index * BAT_ENTRY_SIZE_BYTES
      if (!hasBlock(blocks, first + index)) {
        bytes.writeUInt32BE(ABSENT_BLOCK, at)
        continue
      }
      const bitmapOffset = placeOfBlock(plan, rank) - bitmapSizeBytes(blockSizeBytes)
      bytes.writeUInt32BE(bitmapOffset / VHD_SECTOR_SIZE_BYTES, at)
      rank++
    }
    yield { offsetBytes: BAT_OFFSET + first * BAT_ENTRY_SIZE_BYTES, bytes }
  }
}
