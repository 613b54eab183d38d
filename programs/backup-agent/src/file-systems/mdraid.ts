/**
 * A member of a software RAID of Linux (kernel, "include/uapi/linux/raid/md_p.h"), little-endian, with the super block in
 * front of its data: at byte 0 (version 1.1) or 4096 (version 1.2, which mdadm makes). Super blocks of other versions are at
 * the end, and the data begins where the member does.
 *
 *     super block   0 FC 4E 2B A9   4 version u32 = 1   16 UUID   32 name, 32 bytes   144 sector of the super block u64
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import type { Allocation } from './allocation.ts'
import type { FileSystemFacts } from './facts.ts'
import { textUpToZero } from './text.ts'
import { formatUuid } from './uuid.ts'

const magic = 0xa92b_4efc
const version = 1
const sectorSizeBytes = 512
const superBlockOffsets = [0, 4096] as const

/** A member of a software RAID. The RAID is what is backed up, not itself. */
export async function recogniseMdraid(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  for (const offsetBytes of superBlockOffsets) {
    const block = await readBytes(volume, offsetBytes, 256)
    const isOwn = block.readBigUInt64LE(144) === BigInt(offsetBytes / sectorSizeBytes)
    if (block.readUInt32LE(0) !== magic || block.readUInt32LE(4) !== version || !isOwn) continue
    return {
      name: 'mdraid',
      label: textUpToZero(block.subarray(32, 64)),
      id: formatUuid(block.subarray(16, 32)),
      usedBytes: undefined,
    }
  }
  return undefined
}

/** Whatever file system the place held before may still stand in front of the data, and knows nothing of them. */
export async function readMdraidAllocation(volume: ByteSource): Promise<Allocation | undefined> {
  const facts = await recogniseMdraid(volume)
  return facts && { kind: 'whole', why: 'it is a member of a software RAID' }
}
