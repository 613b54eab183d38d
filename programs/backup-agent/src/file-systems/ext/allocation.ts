/**
 * What an ext2, ext3 or ext4 has in use: per block group a block of bits, one for each cluster of blocks. A group whose
 * bitmap was never written holds nothing but its own structures.
 *
 * Each group says beside its bitmap how many clusters are free. Where the two disagree the whole group is read.
 */
import { type ByteSource, DiskFailure, type Extent, readBytes } from '@palisade/virtual-disk'
import { type Allocation, usableExtents } from '../allocation.ts'
import { type BitRun, bitRuns } from '../bit-runs.ts'
import {
  type BlockGroup,
  blockGroups,
  groupCountOf,
  hasPossibleGroups,
  holdsSuperBlock,
} from './block-groups.ts'
import { incompatible, readSuperBlock, type SuperBlock } from './super-block.ts'

const closed = 1
const hasErrors = 2

/**
 * Features that leave the bitmaps where and as they are described here: file types in directories, meta block groups,
 * extents, 64 bit, multiple mount protection, flexible groups, attributes in inodes, data in directories, checksum
 * seed, large directories, inline data, encryption, letters of either case.
 */
const knownIncompatible =
  0x2 | 0x10 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x1000 | 0x2000 | 0x4000 | 0x8000 | 0x1_0000 | 0x2_0000

/** Sparse super block up to orphan files that are present. */
const knownReadOnlyCompatible = 0x1_ffff

/** The blocks in use, or why they cannot be told; undefined when this is no such file system. */
export async function readExtAllocation(volume: ByteSource): Promise<Allocation | undefined> {
  const file = await readSuperBlock(volume)
  if (file === undefined) return undefined
  const why = whyWhole(file, volume.sizeBytes)
  if (why !== undefined) return { kind: 'whole', why }
  return { kind: 'extents', extents: () => usableExtents(usedExtents(volume, file), volume.sizeBytes) }
}

function whyWhole(file: SuperBlock, volumeSizeBytes: number): string | undefined {
  if ((file.incompatible & incompatible.recover) !== 0) {
    return 'the journal of its ext file system is still to be replayed (is it mounted?)'
  }
  if ((file.state & closed) === 0) return 'its ext file system was not closed (is it mounted?)'
  if ((file.state & hasErrors) !== 0) return 'its ext file system has noted errors'
  const unknown =
    (file.incompatible & ~knownIncompatible) | (file.readOnlyCompatible & ~knownReadOnlyCompatible)
  if (unknown !== 0) return `its ext file system has features that are not known here (${hex(unknown)})`
  if (!hasPossibleGroups(file, volumeSizeBytes))
    return 'the sizes that its ext file system tells are not possible'
  return undefined
}

async function* usedExtents(volume: ByteSource, file: SuperBlock): AsyncGenerator<Extent> {
  const { blockSizeBytes, firstDataBlock, blockCount, blocksPerCluster } = file
  // The boot block of file systems with blocks of 1024 bytes is in no group.
  yield { offsetBytes: 0, sizeBytes: firstDataBlock * blockSizeBytes }
  for await (const group of blockGroups(volume, file)) {
    for (const { first, count } of await usedClusters(volume, file, group)) {
      const firstBlock = group.firstBlock + first * blocksPerCluster
      const end = Math.min(firstBlock + count * blocksPerCluster, group.firstBlock + group.blockCount)
      yield { offsetBytes: firstBlock * blockSizeBytes, sizeBytes: (end - firstBlock) * blockSizeBytes }
    }
  }
  // What lies behind the file system may belong to somebody else.
  const endBytes = blockCount * blockSizeBytes
  yield { offsetBytes: endBytes, sizeBytes: volume.sizeBytes - endBytes }
}

async function usedClusters(
  volume: ByteSource,
  file: SuperBlock,
  group: BlockGroup,
): Promise<readonly BitRun[]> {
  const clusterCount = Math.ceil(group.blockCount / file.blocksPerCluster)
  const bitmap = group.isBitmapUnwritten ? ownStructures(file, group) : await readBitmap(volume, file, group)
  const runs = bitmap === undefined ? [] : [...bitRuns(bitmap, clusterCount)]
  const used = runs.reduce((sum, { count }) => sum + count, 0)
  return used === clusterCount - group.freeClusters ? runs : [{ first: 0, count: clusterCount }]
}

/** Undefined when it cannot be where the descriptor says. */
async function readBitmap(
  volume: ByteSource,
  { blockSizeBytes }: SuperBlock,
  { blockBitmapBlock }: BlockGroup,
): Promise<Buffer | undefined> {
  try {
    return await readBytes(volume, blockBitmapBlock * blockSizeBytes, blockSizeBytes)
  } catch (error) {
    if (error instanceof DiskFailure) return undefined
    throw error
  }
}

/** The bitmap of a group in which nothing is in use but what describes the file system. */
function ownStructures(file: SuperBlock, group: BlockGroup): Buffer {
  const { blockSizeBytes, blocksPerCluster, inodesPerGroup, inodeSizeBytes } = file
  const bitmap = Buffer.alloc(blockSizeBytes)
  const mark = (firstBlock: number, count: number) => {
    const from = Math.max(firstBlock - group.firstBlock, 0)
    const to = Math.min(firstBlock + count - group.firstBlock, group.blockCount)
    for (let block = from; block < to; block++) {
      const cluster = Math.floor(block / blocksPerCluster)
      bitmap[cluster >> 3] = (bitmap[cluster >> 3] ?? 0) | (1 << (cluster & 7))
    }
  }
  mark(group.firstBlock, blocksOfCopies(file, group.number))
  mark(group.blockBitmapBlock, 1)
  mark(group.inodeBitmapBlock, 1)
  mark(group.inodeTableBlock, Math.ceil((inodesPerGroup * inodeSizeBytes) / blockSizeBytes))
  return bitmap
}

/** How many blocks at the front of a group hold the super block and descriptors, or copies of them. */
function blocksOfCopies(file: SuperBlock, group: number): number {
  const { blockSizeBytes, descriptorSizeBytes, firstMetaBlockGroup, reservedDescriptorBlocks } = file
  const superBlocks = holdsSuperBlock(file, group) ? 1 : 0
  const perBlock = blockSizeBytes / descriptorSizeBytes
  const isMeta = (file.incompatible & incompatible.metaBlockGroups) !== 0
  if (isMeta && Math.floor(group / perBlock) >= firstMetaBlockGroup) {
    // The first, the second and the last group of each meta group hold its one block of descriptors.
    return superBlocks + ([0, 1, perBlock - 1].includes(group % perBlock) ? 1 : 0)
  }
  if (superBlocks === 0) return 0
  const descriptorBlocks = isMeta ? firstMetaBlockGroup : Math.ceil(groupCountOf(file) / perBlock)
  return superBlocks + descriptorBlocks + reservedDescriptorBlocks
}

function hex(bits: number): string {
  return `0x${(bits >>> 0).toString(16)}`
}
