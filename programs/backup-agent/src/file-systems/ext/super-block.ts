/**
 * The super block of ext2, ext3 and ext4 (kernel documentation, "ext4 Data Structures and Algorithms", super block):
 * 1024 bytes at byte 1024, little-endian. High halves count with the feature "64 bit" only.
 *
 *     0x04  blocks, low 32 bits           0x58  inode size u16 (revision 0 at 0x4C: 128)
 *     0x0C  free blocks, low              0x5C  compatible features        0x60  incompatible features
 *     0x14  first data block              0x64  features compatible for reading
 *     0x18  block size as 1024 << n       0x68  UUID, 16 bytes             0x78  label, 16 bytes, UTF-8
 *     0x1C  cluster size as 1024 << n     0xCE  reserved descriptor blocks u16
 *     0x20  blocks per group              0xFE  descriptor size u16
 *     0x24  clusters per group            0x104 first meta block group
 *     0x28  inodes per group              0x150, 0x158  blocks, free blocks, high 32 bits
 *     0x38  0xEF53                        0x24C two groups with super blocks (sparse_super2)
 *     0x3A  state u16 (1: closed, 2: errors)
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'

const superBlockOffset = 1024
const superBlockSizeBytes = 1024
const magic = 0xef53
const blockSizeLogMax = 6
const oldInodeSizeBytes = 128
const oldDescriptorSizeBytes = 32

/** Bits of features that whoever does not know them may read and write regardless (`s_feature_compat`), as far as they matter here. */
export const compatible = { journal: 0x4, sparseSuper2: 0x200 } as const
/** Bits of features that whoever does not know them must not even read (`s_feature_incompat`), as far as they matter here. */
export const incompatible = { recover: 0x4, metaBlockGroups: 0x10, extents: 0x40, is64Bit: 0x80 } as const
/** Bits of features that whoever does not know them may only read (`s_feature_ro_compat`), as far as they matter here. */
export const readOnlyCompatible = {
  sparseSuper: 0x1,
  descriptorChecksums: 0x10,
  clusters: 0x200,
  metadataChecksums: 0x400,
} as const

/** The super block as it is on the disk: only its magic number and block size are checked, see `hasPossibleGroups` for the rest. */
export interface SuperBlock {
  readonly blockCount: number
  readonly freeBlockCount: number
  readonly firstDataBlock: number
  readonly blockSizeBytes: number
  /** How many blocks one bit of a bitmap stands for: 1 but with the feature "bigalloc". */
  readonly blocksPerCluster: number
  readonly blocksPerGroup: number
  readonly inodesPerGroup: number
  readonly inodeSizeBytes: number
  readonly state: number
  readonly compatible: number
  readonly incompatible: number
  readonly readOnlyCompatible: number
  readonly uuid: Buffer
  readonly label: string
  readonly reservedDescriptorBlocks: number
  readonly descriptorSizeBytes: number
  readonly firstMetaBlockGroup: number
  /** With the feature "sparse_super2": the groups that hold copies of the super block. */
  readonly backupGroups: readonly number[]
}

/**
 * Reads the super block; undefined when there is none.
 *
 * @throws DiskFailure when the volume is too short for one
 */
export async function readSuperBlock(volume: ByteSource): Promise<SuperBlock | undefined> {
  const block = await readBytes(volume, superBlockOffset, superBlockSizeBytes)
  const blockSizeLog = block.readUInt32LE(0x18)
  if (block.readUInt16LE(0x38) !== magic || blockSizeLog > blockSizeLogMax) return undefined
  const readOnlyFeatures = block.readUInt32LE(0x64)
  const incompatibleFeatures = block.readUInt32LE(0x60)
  const isWide = (incompatibleFeatures & incompatible.is64Bit) !== 0
  const wide = (low: number, high: number) =>
    block.readUInt32LE(low) + (isWide ? block.readUInt32LE(high) * 2 ** 32 : 0)
  const hasClusters = (readOnlyFeatures & readOnlyCompatible.clusters) !== 0
  return {
    blockCount: wide(0x04, 0x150),
    freeBlockCount: wide(0x0c, 0x158),
    firstDataBlock: block.readUInt32LE(0x14),
    blockSizeBytes: 1024 << blockSizeLog,
    blocksPerCluster: hasClusters ? 2 ** (block.readUInt32LE(0x1c) - blockSizeLog) : 1,
    blocksPerGroup: block.readUInt32LE(0x20),
    inodesPerGroup: block.readUInt32LE(0x28),
    inodeSizeBytes: block.readUInt32LE(0x4c) === 0 ? oldInodeSizeBytes : block.readUInt16LE(0x58),
    state: block.readUInt16LE(0x3a),
    compatible: block.readUInt32LE(0x5c),
    incompatible: incompatibleFeatures,
    readOnlyCompatible: readOnlyFeatures,
    uuid: block.subarray(0x68, 0x78),
    label: block.toString('utf8', 0x78, 0x88).replace(/\0.*$/s, ''),
    reservedDescriptorBlocks: block.readUInt16LE(0xce),
    descriptorSizeBytes: isWide ? block.readUInt16LE(0xfe) : oldDescriptorSizeBytes,
    firstMetaBlockGroup: block.readUInt32LE(0x104),
    backupGroups: [block.readUInt32LE(0x24c), block.readUInt32LE(0x250)],
  }
}
