import type { DiskFormat, RevisionToRestore, VolumeDescription } from '@palisade/agent-protocol'
import { taskFailures } from '@palisade/agent-protocol'
import {
  DiskFailure,
  type DiskPlan,
  extentOf,
  partitionTypes,
  planDisk,
  planSingleVolumeDisk,
  type Region,
  type SingleVolumeDisk,
} from '@palisade/virtual-disk'
import { TaskFailure } from '../failure.ts'
import { storedExtents } from './stored-extents.ts'

/** The disk that a revision becomes: where everything goes is known before the first byte is written. */
export interface DiskShape {
  readonly plan: DiskPlan
  readonly partitionOffsetBytes: number
  /** The partition table: everything on the disk beside the volume. */
  readonly regions: readonly Region[]
}

const gptNameLengthMax = 36

const mebibyte = 2 ** 20
/** Block tables of up to 32 MiB, eight bytes a block. */
const vhdxBlocksMax = 4 * mebibyte

/**
 * The smallest blocks that leave the table of them small. With blocks of a chunk's size the file holds just the
 * chunks that are stored, and no half-empty blocks that have to be written as holes and read back as zeros.
 */
function vhdxBlockSizeBytes(virtualSizeBytes: number): number {
  let blockSizeBytes = mebibyte
  while (virtualSizeBytes / blockSizeBytes > vhdxBlocksMax) blockSizeBytes *= 2
  return blockSizeBytes
}

/**
 * Plans a disk around one volume. A volume that came from an MBR disk gets an MBR again, as long as one can
 * describe it; every other one gets a GPT. All ids are new, since a copy is attached beside its original.
 *
 * @throws TaskFailure when the format cannot hold the volume
 */
export function shapeDisk(
  { volume, chunkSizeBytes }: RevisionToRestore,
  presence: Uint8Array,
  format: DiskFormat,
): DiskShape {
  const geometry = { volumeSizeBytes: volume.capacityBytes, chunkSizeBytes }
  try {
    const disk = wrapVolume(volume)
    const { partitionOffsetBytes, regions, virtualSizeBytes } = disk
    const plan = planDisk({
      format: format === 'Vhd' ? 'vhd' : 'vhdx',
      allocation: 'dynamic',
      virtualSizeBytes,
      ...(format === 'Vhdx' ? { blockSizeBytes: vhdxBlockSizeBytes(virtualSizeBytes) } : {}),
      data: (function* () {
        yield* regions.map(extentOf)
        for (const { offsetBytes, sizeBytes } of storedExtents(presence, geometry)) {
          yield { offsetBytes: partitionOffsetBytes + offsetBytes, sizeBytes }
        }
      })(),
    })
    return { plan, partitionOffsetBytes, regions }
  } catch (error) {
    if (!(error instanceof DiskFailure)) throw error
    throw new TaskFailure(
      taskFailures.internal,
      `no ${format} can be made of this volume: ${error.message}`,
      {
        cause: error,
      },
    )
  }
}

function wrapVolume(volume: VolumeDescription): SingleVolumeDisk {
  const volumeSizeBytes = volume.capacityBytes
  if (volume.partitionScheme === 'mbr') {
    try {
      return planSingleVolumeDisk({
        volumeSizeBytes,
        scheme: 'mbr',
        partitionType: mbrType(volume),
        active: volume.isBoot,
      })
    } catch (error) {
      if (!(error instanceof DiskFailure && error.code === 'disk-too-large')) throw error
    }
  }
  return planSingleVolumeDisk({
    volumeSizeBytes,
    scheme: 'gpt',
    partitionType: gptType(volume),
    name: volume.label.slice(0, gptNameLengthMax).toWellFormed(),
  })
}

/** Types that say what a partition contains, or protect something: none a volume could have. */
const containerTypes: ReadonlySet<string> = new Set(['00', '05', '0F', '85', 'EE'])

function mbrType({ partitionType, fileSystem }: VolumeDescription): string {
  const type = partitionType.toUpperCase()
  if (/^[0-9A-F]{2}$/.test(type) && !containerTypes.has(type)) return type
  return /^ext\d$/.test(fileSystem) ? partitionTypes.mbr.linux : partitionTypes.mbr.ntfs
}

function gptType({ partitionScheme, partitionType, fileSystem }: VolumeDescription): string {
  if (partitionScheme === 'gpt' && /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/i.test(partitionType)) {
    return partitionType.toUpperCase()
  }
  return /^ext\d$/.test(fileSystem) ? partitionTypes.gpt.linux : partitionTypes.gpt.basicData
}
