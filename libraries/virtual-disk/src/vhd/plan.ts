import { allBlocks, blocksTouchedBy } from '../disk/block-set.ts'
import type { VhdPlan } from '../disk/disk-plan.ts'
import type { DiskRequest } from '../disk/disk-request.ts'
import { KIB, MIB, requireByteCount, roundUp } from '../extent.ts'
import { DiskFailure, requireArgument } from '../failure.ts'
import { parseGuid, randomGuid } from '../guid.ts'
import { timestampOf } from './footer.ts'
import {
  BAT_ENTRY_SIZE_BYTES,
  BAT_OFFSET,
  bitmapSizeBytes,
  DATA_ALIGNMENT_BYTES,
  FOOTER_SIZE_BYTES,
  VHD_SECTOR_SIZE_BYTES,
  VIRTUAL_SIZE_BYTES_MAX,
} from './layout.ts'

const BLOCK_SIZE_BYTES_DEFAULT = 2 * MIB
/** The two sizes that Windows attaches. */
const blockSizesBytes: readonly number[] = [512 * KIB, 2 * MIB]

/**
 * Every offset of a VHD with this content.
 *
 * @throws DiskFailure for a size or block size that the format does not have
 */
export function planVhd(request: DiskRequest): VhdPlan {
  const { virtualSizeBytes, allocation, blockSizeBytes = BLOCK_SIZE_BYTES_DEFAULT } = request
  requireByteCount(virtualSizeBytes, 'virtualSizeBytes')
  requireArgument(virtualSizeBytes > 0, 'a disk cannot be empty')
  requireArgument(
    virtualSizeBytes % VHD_SECTOR_SIZE_BYTES === 0,
    'a VHD is a whole number of 512-byte sectors',
  )
  requireArgument((request.logicalSectorSizeBytes ?? 512) === 512, 'a VHD has 512-byte sectors; use a VHDX')
  requireArgument(
    request.physicalSectorSizeBytes === undefined,
    'a VHD does not say its physical sector size',
  )
  requireArgument(blockSizesBytes.includes(blockSizeBytes), 'a VHD block is 512 KiB or 2 MiB')
  if (virtualSizeBytes > VIRTUAL_SIZE_BYTES_MAX) {
    throw new DiskFailure(
      'disk-too-large',
      'a VHD has at most 2040 GiB, partition table included; use a VHDX',
    )
  }
  return {
    format: 'vhd',
    allocation,
    virtualSizeBytes,
    blockSizeBytes,
    logicalSectorSizeBytes: 512,
    diskId: parseGuid(request.diskId ?? randomGuid(), 'diskId'),
    timestampSeconds: timestamp(request.createdAt ?? new Date()),
    ...(allocation === 'fixed'
      ? placeFixed(virtualSizeBytes, blockSizeBytes)
      : placeDynamic(request.data, virtualSizeBytes, blockSizeBytes)),
  }
}

type Placement = Pick<VhdPlan, 'blocks' | 'firstBlockOffsetBytes' | 'blockStrideBytes' | 'fileSizeBytes'>

/** The file is the disk; blocks are only the pieces in which it is written. */
function placeFixed(virtualSizeBytes: number, blockSizeBytes: number): Placement {
  return {
    blocks: allBlocks(virtualSizeBytes, blockSizeBytes),
    firstBlockOffsetBytes: 0,
    blockStrideBytes: blockSizeBytes,
    fileSizeBytes: virtualSizeBytes + FOOTER_SIZE_BYTES,
  }
}

function placeDynamic(
  data: DiskRequest['data'],
  virtualSizeBytes: number,
  blockSizeBytes: number,
): Placement {
  const blocks = blocksTouchedBy(data, virtualSizeBytes, blockSizeBytes)
  const tableEnd = BAT_OFFSET + roundUp(blocks.blockCount * BAT_ENTRY_SIZE_BYTES, VHD_SECTOR_SIZE_BYTES)
  const bitmapSize = bitmapSizeBytes(blockSizeBytes)
  const firstBlockOffsetBytes = roundUp(tableEnd + bitmapSize, DATA_ALIGNMENT_BYTES)
  const blockStrideBytes = roundUp(bitmapSize + blockSizeBytes, DATA_ALIGNMENT_BYTES)
  const { presentCount } = blocks
  const blocksEnd =
    presentCount === 0
      ? tableEnd
      : firstBlockOffsetBytes + (presentCount - 1) * blockStrideBytes + blockSizeBytes
  return { blocks, firstBlockOffsetBytes, blockStrideBytes, fileSizeBytes: blocksEnd + FOOTER_SIZE_BYTES }
}

function timestamp(createdAt: Date): number {
  const seconds = timestampOf(createdAt)
  requireArgument(seconds >= 0 && seconds < 2 ** 32, 'a VHD cannot say a time before 2000 or after 2136')
  return seconds
}
