/**
 * A member of a software RAID of Linux (kernel, "include/uapi/linux/raid/md_p.h"), little-endian. Its super block is in front
 * of its data, at byte 0 (version 1.1) or 4096 (version 1.2, which mdadm makes); or at its end, in the last whole 4 KiB that
 * have 8 KiB behind their beginning (version 1.0), or in the last whole 64 KiB (version 0.90).
 *
 *     version 1     0 FC 4E 2B A9   4 version u32 = 1   16 UUID   32 name, 32 bytes   72 level i32
 *                   144 sector of the super block u64
 *     version 0.90  0 FC 4E 2B A9   4 version u32 = 0, 90   20 UUID, 4 bytes and 12 more at 52, as words   28 level i32
 *
 * With the super block at its end, the data begins where the member does, and that of a mirror is what the RAID holds: such
 * a member is taken for that.
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import type { Allocation } from './allocation.ts'
import type { FileSystemFacts } from './facts.ts'
import { formatUuid, textUpToZero } from './superblock-fields.ts'

const magic = 0xa92b_4efc
const sectorSizeBytes = 512
const frontOffsets = [0, 4096] as const
const mirrorLevel = 1

/** A member of a software RAID. The RAID is what is backed up, not itself. */
export async function recogniseMdraid(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const { sizeBytes } = volume
  for (const offsetBytes of frontOffsets) {
    const block = await readVersion1(volume, offsetBytes)
    if (block !== undefined) return factsOf(block)
  }
  const block = await readVersion1(volume, Math.floor((sizeBytes - 8192) / 4096) * 4096)
  if (block !== undefined && block.readInt32LE(72) !== mirrorLevel) return factsOf(block)
  const old = await readBytes(volume, Math.floor(sizeBytes / 65_536 - 1) * 65_536, 64)
  const isOld = old.readUInt32LE(0) === magic && old.readUInt32LE(4) === 0 && old.readUInt32LE(8) === 90
  if (!isOld || old.readInt32LE(28) === mirrorLevel) return undefined
  const uuid = Buffer.concat([old.subarray(20, 24), old.subarray(52, 64)]).swap32()
  return { name: 'mdraid', label: '', id: formatUuid(uuid), usedBytes: undefined }
}

async function readVersion1(volume: ByteSource, offsetBytes: number): Promise<Buffer | undefined> {
  const block = await readBytes(volume, offsetBytes, 256)
  const isOwn = block.readBigUInt64LE(144) === BigInt(offsetBytes / sectorSizeBytes)
  return block.readUInt32LE(0) === magic && block.readUInt32LE(4) === 1 && isOwn ? block : undefined
}

function factsOf(block: Buffer): FileSystemFacts {
  return {
    name: 'mdraid',
    label: textUpToZero(block.subarray(32, 64)),
    id: formatUuid(block.subarray(16, 32)),
    usedBytes: undefined,
  }
}

/** Whatever file system the place held before may still stand in front of the data, and knows nothing of them. */
export async function readMdraidAllocation(volume: ByteSource): Promise<Allocation | undefined> {
  const facts = await recogniseMdraid(volume)
  return facts && { kind: 'whole', why: 'it is a member of a software RAID' }
}
