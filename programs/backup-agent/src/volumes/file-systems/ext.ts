/**
 * ext2, ext3 and ext4 (kernel documentation, "ext4 Data Structures and Algorithms", super block): 1024 bytes at
 * byte 1024, little-endian.
 *
 *     0x04  blocks, low 32 bits          0x5C  compatible features (4: has a journal)
 *     0x0C  free blocks, low             0x60  incompatible features (0x40: extents, 0x80: 64 bit)
 *     0x18  block size as 1024 << n      0x78  label, 16 bytes, UTF-8
 *     0x38  0xEF53                       0x150, 0x158  blocks, free blocks, high 32 bits
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import type { FileSystemFacts } from './facts.ts'

const superBlockOffset = 1024
const superBlockSize = 1024
const magic = 0xef53
const blockSizeLogMax = 6
const hasJournal = 0x4
const hasExtents = 0x40
const is64Bit = 0x80

export async function recogniseExt(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const block = await readBytes(volume, superBlockOffset, superBlockSize)
  const blockSizeLog = block.readUInt32LE(0x18)
  if (block.readUInt16LE(0x38) !== magic || blockSizeLog > blockSizeLogMax) return undefined
  const incompatible = block.readUInt32LE(0x60)
  const wide = (incompatible & is64Bit) !== 0
  const blocks = block.readUInt32LE(0x04) + (wide ? block.readUInt32LE(0x150) * 2 ** 32 : 0)
  const free = block.readUInt32LE(0x0c) + (wide ? block.readUInt32LE(0x158) * 2 ** 32 : 0)
  return {
    name: generation(block.readUInt32LE(0x5c), incompatible),
    label: block.toString('utf8', 0x78, 0x88).replace(/\0.*$/s, ''),
    usedBytes: free <= blocks ? (blocks - free) * (1024 << blockSizeLog) : undefined,
  }
}

function generation(compatible: number, incompatible: number): string {
  if ((incompatible & (hasExtents | is64Bit)) !== 0) return 'ext4'
  return (compatible & hasJournal) === 0 ? 'ext2' : 'ext3'
}
