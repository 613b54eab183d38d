/**
 * XFS (kernel documentation, "XFS Filesystem Disk Structures"), big-endian.
 *
 *     super block   0 "XFSB"   4 block size u32   8 blocks u64   32 UUID   108 label, 12 bytes   144 free blocks u64
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import type { FileSystemFacts } from './facts.ts'
import { formatUuid, textUpToZero } from './superblock-fields.ts'

/** What an XFS says about itself. The count of free blocks is that of the last time it was closed. */
export async function recogniseXfs(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const block = await readBytes(volume, 0, 512)
  if (block.toString('latin1', 0, 4) !== 'XFSB') return undefined
  const [blocks, free] = [Number(block.readBigUInt64BE(8)), Number(block.readBigUInt64BE(144))]
  const usedBytes = (blocks - free) * block.readUInt32BE(4)
  return {
    name: 'xfs',
    label: textUpToZero(block.subarray(108, 120)),
    id: formatUuid(block.subarray(32, 48)),
    usedBytes: Number.isSafeInteger(usedBytes) && usedBytes >= 0 ? usedBytes : undefined,
  }
}
