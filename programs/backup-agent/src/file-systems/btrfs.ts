/**
 * btrfs (btrfs documentation, "On-disk format"), little-endian.
 *
 *     super block at byte 65536   32 UUID   64 "_BHRfS_M"   120 bytes used u64   136 devices u64   299 label, 256 bytes
 */
import { type ByteSource, readBytes } from '@palisade/virtual-disk'
import type { FileSystemFacts } from './facts.ts'
import { formatUuid, textUpToZero } from './superblock-fields.ts'

const superBlockOffset = 65_536

/** What a btrfs says about itself. One over several devices does not say how much of it is on this one. */
export async function recogniseBtrfs(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const block = await readBytes(volume, superBlockOffset, 4096)
  if (block.toString('latin1', 64, 72) !== '_BHRfS_M') return undefined
  const usedBytes = Number(block.readBigUInt64LE(120))
  const isAlone = block.readBigUInt64LE(136) === 1n
  return {
    name: 'btrfs',
    label: textUpToZero(block.subarray(299, 299 + 256)),
    id: formatUuid(block.subarray(32, 48)),
    usedBytes: isAlone && Number.isSafeInteger(usedBytes) ? usedBytes : undefined,
  }
}
