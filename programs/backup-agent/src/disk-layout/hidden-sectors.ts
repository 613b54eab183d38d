/**
 * The boot sector of NTFS says how many sectors of the disk are in front of the volume (field at 28, u32), and Windows'
 * boot code reads the disk by it. A volume that comes back at another place needs another number, in its first sector and in
 * the copy of it, which is the last one.
 */
import { isSet } from '@palisade/agent-protocol/wire'
import type { ChunkKeys } from '@palisade/vault'
import { chunkCountOf, chunkLength } from '../chunks/chunk-range.ts'
import type { RequestContext } from '../server/request-context.ts'
import { fetchChunks } from './fetch-chunks.ts'
import type { VolumePatch } from './placed-volume.ts'
import type { StoredVolume } from './stored-volume.ts'

const bootSectorSizeBytes = 512
const hiddenSectorsOffset = 28
const sectorSizeOffset = 11

/**
 * What has to be changed in a volume for it to be started from another place of a disk; nothing in one that is not NTFS
 * or lies where it says that it is.
 */
export async function hiddenSectorPatches(
  restoreId: string,
  stored: StoredVolume,
  partitionOffsetBytes: number,
  keys: ChunkKeys,
  context: RequestContext,
): Promise<readonly VolumePatch[]> {
  const { geometry } = stored
  const lastSector = geometry.volumeSizeBytes - bootSectorSizeBytes
  if (stored.revision.volume.fileSystem !== 'ntfs' || lastSector < bootSectorSizeBytes) return []
  const patches: VolumePatch[] = []
  for (const sectorOffset of [0, lastSector]) {
    const sector = await readSector(restoreId, stored, sectorOffset, keys, context)
    const patch = sector && patchOf(sector, sectorOffset, partitionOffsetBytes)
    if (patch !== undefined) patches.push(patch)
  }
  return patches
}

/** Undefined for one that is zeros, or that two chunks share. */
async function readSector(
  restoreId: string,
  { revision, geometry, presence, firstChunk }: StoredVolume,
  sectorOffset: number,
  keys: ChunkKeys,
  context: RequestContext,
): Promise<Buffer | undefined> {
  const { chunkSizeBytes } = geometry
  const index = Math.min(Math.floor(sectorOffset / chunkSizeBytes), chunkCountOf(geometry) - 1)
  if (!isSet(presence, index)) return undefined
  const range = { from: firstChunk + index, to: firstChunk + index + 1 }
  const sizeBytes = chunkLength(geometry, index)
  const chunk = await fetchChunks(
    restoreId,
    revision,
    { ...range, sizeBytes, isStored: () => true },
    keys,
    context,
  )
  const at = sectorOffset - index * chunkSizeBytes
  const sector = chunk.subarray(at, at + bootSectorSizeBytes)
  return sector.length === bootSectorSizeBytes ? sector : undefined
}

function patchOf(
  sector: Buffer,
  sectorOffset: number,
  partitionOffsetBytes: number,
): VolumePatch | undefined {
  if (sector.toString('latin1', 3, 11) !== 'NTFS    ') return undefined
  const sectorSizeBytes = sector.readUInt16LE(sectorSizeOffset)
  const hiddenSectors = partitionOffsetBytes / sectorSizeBytes
  if (!Number.isInteger(hiddenSectors) || hiddenSectors > 0xffff_ffff) return undefined
  if (sector.readUInt32LE(hiddenSectorsOffset) === hiddenSectors) return undefined
  const original = Buffer.from(sector.subarray(hiddenSectorsOffset, hiddenSectorsOffset + 4))
  const replacement = Buffer.alloc(4)
  replacement.writeUInt32LE(hiddenSectors)
  return { offsetBytes: sectorOffset + hiddenSectorsOffset, original, replacement }
}
