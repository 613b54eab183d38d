import type { ByteSource } from '@palisade/virtual-disk'
import { countBits } from '../count-bits.ts'
import { type FileSystemFacts, unlessDamaged } from '../facts.ts'
import { bitmapParts } from './allocation.ts'
import { attributeTypes } from './record.ts'
import { NtfsVolume } from './volume.ts'

const volumeRecord = 3

/** What an NTFS says about itself: the label in $Volume, and how much is in use by its bitmap. */
export async function recogniseNtfs(volume: ByteSource): Promise<FileSystemFacts | undefined> {
  const ntfs = await NtfsVolume.open(volume)
  if (ntfs === undefined) return undefined
  return {
    name: 'ntfs',
    label: await unlessDamaged(() => readLabel(ntfs), ''),
    id: ntfs.geometry.serial,
    usedBytes: await unlessDamaged(() => countUsedBytes(volume, ntfs), undefined),
  }
}

async function readLabel(ntfs: NtfsVolume): Promise<string> {
  const name = await ntfs.stream(volumeRecord, attributeTypes.volumeName)
  return name?.kind === 'resident' ? name.bytes.toString('utf16le').toWellFormed() : ''
}

async function countUsedBytes(volume: ByteSource, ntfs: NtfsVolume): Promise<number | undefined> {
  const { clusterCount, clusterSizeBytes } = ntfs.geometry
  const parts = await bitmapParts(ntfs, volume.sizeBytes)
  return parts && (await countBits(volume, parts, clusterCount)) * clusterSizeBytes
}
