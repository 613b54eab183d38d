import { MIB } from '../extent.ts'
import { hasBlock } from '../plan/block-set.ts'
import type { Structure, VhdPlan } from '../plan/disk-plan.ts'
import { placeOfBlock } from '../plan/place.ts'
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

/** The footer and, for a dynamic disk, its copy, the header, the table and each block's bitmap. */
export function* vhdStructures(plan: VhdPlan): Generator<Structure> {
  const footer = encodeFooter({
    type: plan.allocation,
    dynamicHeaderOffsetBytes: plan.allocation === 'dynamic' ? DYNAMIC_HEADER_OFFSET : undefined,
    timestampSeconds: plan.timestampSeconds,
    sizeBytes: plan.virtualSizeBytes,
    geometry: geometryOf(plan.virtualSizeBytes),
    uniqueId: plan.diskId,
  })
  if (plan.allocation === 'dynamic') {
    yield { offsetBytes: 0, bytes: footer, isSeal: true }
    yield { offsetBytes: DYNAMIC_HEADER_OFFSET, bytes: dynamicHeader(plan), isSeal: false }
    yield* tablePieces(plan)
    yield* bitmaps(plan)
  }
  yield { offsetBytes: plan.fileSizeBytes - FOOTER_SIZE_BYTES, bytes: footer, isSeal: true }
}

function dynamicHeader(plan: VhdPlan): Buffer {
  const { blocks, blockSizeBytes } = plan
  return encodeDynamicHeader({
    tableOffsetBytes: BAT_OFFSET,
    tableEntryCount: blocks.blockCount,
    blockSizeBytes,
  })
}

function* tablePieces(plan: VhdPlan): Generator<Structure> {
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
    yield { offsetBytes: BAT_OFFSET + first * BAT_ENTRY_SIZE_BYTES, bytes, isSeal: false }
  }
}

/** All sectors of a present block are in use; some readers take a clear bit for zeros. */
function* bitmaps(plan: VhdPlan): Generator<Structure> {
  const bytes = Buffer.alloc(bitmapSizeBytes(plan.blockSizeBytes), 0xff)
  for (let rank = 0; rank < plan.blocks.presentCount; rank++) {
    yield { offsetBytes: placeOfBlock(plan, rank) - bytes.byteLength, bytes, isSeal: false }
  }
}
