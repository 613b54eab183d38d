/**
 * The block groups of ext2, ext3 and ext4 (kernel documentation, "ext4 Data Structures and Algorithms", block group
 * descriptors). Little-endian; high halves in descriptors of 64 bytes and more.
 *
 *     0x00, 0x20  block of the block bitmap     0x0C, 0x2C  free clusters u16
 *     0x04, 0x24  block of the inode bitmap     0x12        flags u16 (2: the block bitmap was never written)
 *     0x08, 0x28  first block of the inodes
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import { isPowerOfTwo } from '../superblock-fields.ts'
import { compatible, incompatible, readOnlyCompatible, type SuperBlock } from './super-block.ts'

const blockBitmapUnwritten = 2
const wideDescriptorSizeBytes = 64

/** A group as its descriptor says. Blocks are counted from the start of the volume, in the block size of the file system. */
export interface BlockGroup {
  readonly number: number
  readonly firstBlock: number
  /** How many blocks the group has; the last group may have fewer than the others. */
  readonly blockCount: number
  readonly blockBitmapBlock: number
  readonly inodeBitmapBlock: number
  readonly inodeTableBlock: number
  readonly freeClusters: number
  /** The bitmap says nothing: only the group's own structures are in use. */
  readonly isBitmapUnwritten: boolean
}

/** Whether the numbers of a super block make groups that can be gone through. */
export function hasPossibleGroups(file: SuperBlock, volumeSizeBytes: number): boolean {
  const { blockCount, blocksPerGroup, firstDataBlock, blockSizeBytes, blocksPerCluster } = file
  const { descriptorSizeBytes, inodesPerGroup, inodeSizeBytes } = file
  const bitsPerBitmap = blockSizeBytes * 8
  return (
    Number.isSafeInteger(blockCount) &&
    firstDataBlock <= 1 &&
    blockCount > firstDataBlock &&
    blockCount * blockSizeBytes <= volumeSizeBytes &&
    blocksPerCluster >= 1 &&
    Number.isInteger(blocksPerCluster) &&
    blocksPerGroup > 0 &&
    blocksPerGroup % blocksPerCluster === 0 &&
    blocksPerGroup / blocksPerCluster <= bitsPerBitmap &&
    isPowerOfTwo(descriptorSizeBytes) &&
    descriptorSizeBytes >= 32 &&
    descriptorSizeBytes <= blockSizeBytes &&
    inodesPerGroup > 0 &&
    inodesPerGroup <= bitsPerBitmap &&
    isPowerOfTwo(inodeSizeBytes) &&
    inodeSizeBytes >= 128 &&
    inodeSizeBytes <= blockSizeBytes
  )
}

/** How many groups there are. */
export function groupCountOf({ blockCount, firstDataBlock, blocksPerGroup }: SuperBlock): number {
  return Math.ceil((blockCount - firstDataBlock) / blocksPerGroup)
}

/**
 * The groups from `first` on, in order.
 *
 * @throws DiskFailure when the descriptors lie beyond the volume's end
 */
export async function* blockGroups(
  volume: ByteSource,
  file: SuperBlock,
  first = 0,
): AsyncGenerator<BlockGroup> {
  const { blockSizeBytes, descriptorSizeBytes } = file
  const perBlock = blockSizeBytes / descriptorSizeBytes
  const groupCount = groupCountOf(file)
  for (let at = Math.floor(first / perBlock); at * perBlock < groupCount; at++) {
    const block = await readBytes(volume, descriptorBlock(file, at) * blockSizeBytes, blockSizeBytes)
    const end = Math.min((at + 1) * perBlock, groupCount)
    for (let number = Math.max(first, at * perBlock); number < end; number++) {
      const start = (number - at * perBlock) * descriptorSizeBytes
      yield decodeGroup(file, number, block.subarray(start, start + descriptorSizeBytes))
    }
  }
}

/** In which block the descriptors lie: behind the super block or, with meta block groups, in the groups themselves. */
function descriptorBlock(file: SuperBlock, index: number): number {
  const { firstDataBlock, blockSizeBytes, descriptorSizeBytes, blocksPerGroup } = file
  const isMeta = (file.incompatible & incompatible.metaBlockGroups) !== 0
  // The super block is always at byte 1024, also where, with clusters of blocks of 1 KiB, the first group begins at 0.
  const afterSuperBlock = blockSizeBytes === 1024 ? 2 : 1
  if (!isMeta || index < file.firstMetaBlockGroup || index === 0) return afterSuperBlock + index
  const group = index * (blockSizeBytes / descriptorSizeBytes)
  return firstDataBlock + group * blocksPerGroup + (holdsSuperBlock(file, group) ? 1 : 0)
}

function decodeGroup(file: SuperBlock, number: number, descriptor: Buffer): BlockGroup {
  const isWide = descriptor.length >= wideDescriptorSizeBytes
  const block = (low: number, high: number) =>
    descriptor.readUInt32LE(low) + (isWide ? descriptor.readUInt32LE(high) * 2 ** 32 : 0)
  const firstBlock = file.firstDataBlock + number * file.blocksPerGroup
  // Without checksums of the descriptors their flags mean nothing.
  const flagsCount =
    (file.readOnlyCompatible &
      (readOnlyCompatible.descriptorChecksums | readOnlyCompatible.metadataChecksums)) !==
    0
  return {
    number,
    firstBlock,
    blockCount: Math.min(file.blocksPerGroup, file.blockCount - firstBlock),
    blockBitmapBlock: block(0x00, 0x20),
    inodeBitmapBlock: block(0x04, 0x24),
    inodeTableBlock: block(0x08, 0x28),
    freeClusters: descriptor.readUInt16LE(0x0c) + (isWide ? descriptor.readUInt16LE(0x2c) * 2 ** 16 : 0),
    isBitmapUnwritten: flagsCount && (descriptor.readUInt16LE(0x12) & blockBitmapUnwritten) !== 0,
  }
}

/** Whether a group begins with a copy of the super block. */
export function holdsSuperBlock(file: SuperBlock, group: number): boolean {
  if (group === 0) return true
  if ((file.compatible & compatible.sparseSuper2) !== 0) return file.backupGroups.includes(group)
  if ((file.readOnlyCompatible & readOnlyCompatible.sparseSuper) === 0) return true
  return group === 1 || [3, 5, 7].some((base) => isPowerOf(base, group))
}

function isPowerOf(base: number, value: number): boolean {
  let power = base
  while (power < value) power *= base
  return power === value
}
