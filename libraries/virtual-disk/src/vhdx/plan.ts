import { allBlocks, blocksTouchedBy } from '../disk/block-set.ts'
import type { VhdxPlan } from '../disk/disk-plan.ts'
import type { DiskRequest } from '../disk/disk-request.ts'
import { MIB, requireByteCount, roundUp } from '../extent.ts'
import { DiskFailure, requireArgument } from '../failure.ts'
import { parseGuid, randomGuid } from '../guid.ts'
import { BAT_ENTRY_SIZE_BYTES, batGeometry } from './block-table.ts'
import { BAT_OFFSET, BLOCK_SIZE_BYTES_MAX, BLOCK_SIZE_BYTES_MIN, VIRTUAL_SIZE_BYTES_MAX } from './layout.ts'

/** Small blocks waste little room where a disk is sparse; the table for 2 TiB takes 8 MiB. */
const BLOCK_SIZE_BYTES_DEFAULT = 2 * MIB

/**
 * Every offset of a VHDX with this content.
 *
 * @throws DiskFailure for sizes that the format does not have
 */
export function planVhdx(request: DiskRequest): VhdxPlan {
  const {
    virtualSizeBytes,
    allocation,
    blockSizeBytes = BLOCK_SIZE_BYTES_DEFAULT,
    logicalSectorSizeBytes = 512,
    physicalSectorSizeBytes = 4096,
  } = request
  requireSizes(virtualSizeBytes, blockSizeBytes, logicalSectorSizeBytes)
  requireArgument(request.createdAt === undefined, 'a VHDX does not say when it was made')
  const blocks =
    allocation === 'fixed'
      ? allBlocks(virtualSizeBytes, blockSizeBytes)
      : blocksTouchedBy(request.data, virtualSizeBytes, blockSizeBytes)
  const firstBlockOffsetBytes =
    BAT_OFFSET + batSizeBytes({ virtualSizeBytes, blockSizeBytes, logicalSectorSizeBytes })
  return {
    format: 'vhdx',
    allocation,
    virtualSizeBytes,
    fileSizeBytes: firstBlockOffsetBytes + blocks.presentCount * blockSizeBytes,
    blockSizeBytes,
    logicalSectorSizeBytes,
    physicalSectorSizeBytes,
    diskId: parseGuid(request.diskId ?? randomGuid(), 'diskId'),
    fileWriteId: randomGuid(),
    dataWriteId: randomGuid(),
    blocks,
    firstBlockOffsetBytes,
    blockStrideBytes: blockSizeBytes,
  }
}

/** The size of the BAT region of a disk without a parent. */
export function batSizeBytes(
  of: Pick<VhdxPlan, 'virtualSizeBytes' | 'blockSizeBytes' | 'logicalSectorSizeBytes'>,
): number {
  return roundUp(batGeometry({ ...of, hasParent: false }).entryCount * BAT_ENTRY_SIZE_BYTES, MIB)
}

function requireSizes(
  virtualSizeBytes: number,
  blockSizeBytes: number,
  logicalSectorSizeBytes: number,
): void {
  requireByteCount(virtualSizeBytes, 'virtualSizeBytes')
  requireArgument(virtualSizeBytes > 0, 'a disk cannot be empty')
  requireArgument(
    virtualSizeBytes % logicalSectorSizeBytes === 0,
    'a disk is a whole number of logical sectors',
  )
  requireArgument(
    blockSizeBytes >= BLOCK_SIZE_BYTES_MIN &&
      blockSizeBytes <= BLOCK_SIZE_BYTES_MAX &&
      Number.isInteger(Math.log2(blockSizeBytes)),
    'a VHDX block is a power of two from 1 to 256 MiB',
  )
  if (virtualSizeBytes > VIRTUAL_SIZE_BYTES_MAX) {
    throw new DiskFailure('disk-too-large', 'a VHDX has at most 64 TiB')
  }
}
