import { hasBlock } from '../disk/block-set.ts'
import type { VhdxPlan } from '../disk/disk-plan.ts'
import { placeOfBlock } from '../disk/place.ts'
import { MIB, type Region } from '../extent.ts'
import { NO_GUID } from '../guid.ts'
import { BAT_ENTRY_SIZE_BYTES, batGeometry, blockState, meaningOfBatIndex } from './block-table.ts'
import { encodeHeader } from './header.ts'
import {
  BAT_OFFSET,
  FILE_IDENTIFIER,
  HEADER_OFFSETS,
  LOG_OFFSET,
  LOG_SIZE_BYTES,
  METADATA_OFFSET,
  METADATA_SIZE_BYTES,
  REGION_TABLE_OFFSETS,
} from './layout.ts'
import { encodeMetadata } from './metadata.ts'
import { batSizeBytes } from './plan.ts'
import { encodeRegionTable } from './region-table.ts'

/** Says in the file who made it; readers ignore it. */
const CREATOR = 'Palisade'

/** File identifier, region tables, metadata and BAT. The log stays zero. */
export function* vhdxTables(plan: VhdxPlan): Generator<Region> {
  yield {
    offsetBytes: 0,
    bytes: Buffer.concat([Buffer.from(FILE_IDENTIFIER, 'latin1'), Buffer.from(CREATOR, 'utf16le')]),
  }
  const regionTable = encodeRegionTable({
    bat: { offsetBytes: BAT_OFFSET, sizeBytes: batSizeBytes(plan) },
    metadata: { offsetBytes: METADATA_OFFSET, sizeBytes: METADATA_SIZE_BYTES },
  })
  for (const offsetBytes of REGION_TABLE_OFFSETS) yield { offsetBytes, bytes: regionTable }
  const metadata = encodeMetadata({ ...plan, leaveBlocksAllocated: plan.allocation === 'fixed' })
  yield { offsetBytes: METADATA_OFFSET, bytes: metadata }
  yield* batPieces(plan)
}

/** The two headers. Their numbers must differ: of one number with other bytes they are refused by readers. */
export function vhdxSeals(plan: VhdxPlan): readonly Region[] {
  return HEADER_OFFSETS.map((offsetBytes, index) => {
    const bytes = encodeHeader({
      sequence: BigInt(index + 1),
      fileWriteId: plan.fileWriteId,
      dataWriteId: plan.dataWriteId,
      logId: NO_GUID,
      logVersion: 0,
      logOffsetBytes: LOG_OFFSET,
      logSizeBytes: LOG_SIZE_BYTES,
    })
    return { offsetBytes, bytes }
  })
}

/**
 * Absent blocks get the state that promises zeros; "not present" would leave their content undefined.
 * Entries of sector bitmaps, and those behind the last block, stay zero.
 */
function* batPieces(plan: VhdxPlan): Generator<Region> {
  const { entryCount, chunkRatio } = batGeometry({ ...plan, hasParent: false })
  const entriesPerPiece = MIB / BAT_ENTRY_SIZE_BYTES
  let rank = 0
  for (let first = 0; first < entryCount; first += entriesPerPiece) {
    const bytes = Buffer.alloc(MIB)
    for (let index = first; index < Math.min(first + entriesPerPiece, entryCount); index++) {
      const meaning = meaningOfBatIndex(index, chunkRatio)
      if (!('block' in meaning)) continue
      const at = (index - first) * BAT_ENTRY_SIZE_BYTES
      if (!hasBlock(plan.blocks, meaning.block)) {
        bytes.writeUInt32LE(blockState.zero, at)
        continue
      }
      const place = placeOfBlock(plan, rank)
      bytes.writeUInt32LE(((place % 2 ** 32) | blockState.fullyPresent) >>> 0, at)
      bytes.writeUInt32LE(Math.floor(place / 2 ** 32), at + 4)
      rank++
    }
    yield { offsetBytes: BAT_OFFSET + first * BAT_ENTRY_SIZE_BYTES, bytes }
  }
}
