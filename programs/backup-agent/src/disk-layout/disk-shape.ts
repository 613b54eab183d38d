import type { DiskFormat, VolumeDescription } from '@palisade/agent-protocol'
import { taskFailures } from '@palisade/agent-protocol/wire'
import {
  DiskFailure,
  type DiskPlan,
  type Extent,
  extentOf,
  partitionTypes,
  planDisk,
  planSingleVolumeDisk,
  type Region,
  type SectorSizeBytes,
  type SingleVolumeDisk,
} from '@palisade/virtual-disk'
import { TaskFailure } from '../failure.ts'
import type { PlacedVolume } from './placed-volume.ts'
import { storedExtents } from './stored-extents.ts'
import type { StoredVolume } from './stored-volume.ts'

/** The disk that revisions become: where everything goes is known before the first byte is written. */
export interface DiskShape {
  readonly plan: DiskPlan
  /** Ascending by their places. */
  readonly volumes: readonly PlacedVolume[]
  /** Partition table and boot code: everything on the disk beside the volumes. */
  readonly regions: readonly Region[]
}

/** What a disk holds and where, before it is known what its file looks like. */
export interface DiskContent extends Omit<DiskShape, 'plan'> {
  readonly virtualSizeBytes: number
  /** What the partition table counts in. */
  readonly sectorSizeBytes: SectorSizeBytes
}

const gptNameLengthMax = 36
const sectorSizeBytesUsual = 512

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
 * describe it; every other one gets a GPT. Its sectors are as large as those of the disk that the volume was on, since
 * NTFS and FAT are read with no others. All ids are new, since a copy is attached beside its original.
 *
 * @throws TaskFailure when the format cannot hold the volume
 */
export function shapeDisk(stored: StoredVolume, format: DiskFormat): DiskShape {
  return orNoDisk(format, () => {
    const { partitionOffsetBytes, regions, virtualSizeBytes, table } = wrapVolume(stored.revision.volume)
    const endBytes = partitionOffsetBytes + stored.geometry.volumeSizeBytes
    const behind = regions.find(({ offsetBytes }) => offsetBytes >= endBytes)?.offsetBytes ?? virtualSizeBytes
    const volume = { ...stored, partitionOffsetBytes, roomBehindBytes: behind - endBytes, patches: [] }
    const { sectorSizeBytes } = table
    return planFile({ virtualSizeBytes, sectorSizeBytes, volumes: [volume], regions }, format)
  })
}

/**
 * Plans the file of a disk: what may hold anything but zeros gets a place.
 *
 * @throws DiskFailure when the format cannot hold the disk
 */
export function planFile(content: DiskContent, format: DiskFormat): DiskShape {
  const { virtualSizeBytes, sectorSizeBytes, volumes, regions } = content
  const plan = planDisk({
    format: format === 'Vhd' ? 'vhd' : 'vhdx',
    allocation: 'dynamic',
    virtualSizeBytes,
    logicalSectorSizeBytes: sectorSizeBytes,
    ...(format === 'Vhdx' ? { blockSizeBytes: vhdxBlockSizeBytes(virtualSizeBytes) } : {}),
    data: dataOf(content),
  })
  return { plan, volumes, regions }
}

function* dataOf({ volumes, regions }: DiskContent): Generator<Extent> {
  yield* regions.map(extentOf)
  for (const { presence, geometry, partitionOffsetBytes } of volumes) {
    for (const { offsetBytes, sizeBytes } of storedExtents(presence, geometry)) {
      yield { offsetBytes: partitionOffsetBytes + offsetBytes, sizeBytes }
    }
  }
}

/** Says of what cannot be laid out that no disk can be made. */
export function orNoDisk<Result>(format: DiskFormat | 'disk', action: () => Result): Result {
  try {
    return action()
  } catch (error) {
    if (!(error instanceof DiskFailure)) throw error
    const message = `no ${format} can be made of this: ${error.message}`
    throw new TaskFailure(taskFailures.internal, message, { cause: error })
  }
}

function wrapVolume(volume: VolumeDescription): SingleVolumeDisk {
  const size = {
    volumeSizeBytes: volume.capacityBytes,
    sectorSizeBytes: volume.placement?.disk.sectorSizeBytes ?? sectorSizeBytesUsual,
  }
  if (volume.partitionScheme === 'mbr') {
    try {
      return planSingleVolumeDisk({
        ...size,
        scheme: 'mbr',
        partitionType: mbrType(volume),
        active: volume.isBoot,
      })
    } catch (error) {
      if (!(error instanceof DiskFailure && error.code === 'disk-too-large')) throw error
    }
  }
  return planSingleVolumeDisk({
    ...size,
    scheme: 'gpt',
    partitionType: gptType(volume),
    name: volume.label.slice(0, gptNameLengthMax).toWellFormed(),
  })
}

/** Types that say what a partition contains, or protect something: none a volume could have. */
const containerTypes: ReadonlySet<string> = new Set(['00', '05', '0F', '85', 'EE'])

/** The MBR type of a volume: its own, if that is one, else one for its file system. */
export function mbrType({ partitionType, fileSystem }: VolumeDescription): string {
  const type = partitionType.toUpperCase()
  if (/^[0-9A-F]{2}$/.test(type) && !containerTypes.has(type)) return type
  return /^ext\d$/.test(fileSystem) ? partitionTypes.mbr.linux : partitionTypes.mbr.ntfs
}

/** The GPT type of a volume: its own, if that is one, else one for its file system. */
export function gptType({ partitionScheme, partitionType, fileSystem }: VolumeDescription): string {
  if (partitionScheme === 'gpt' && /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/i.test(partitionType)) {
    return partitionType.toUpperCase()
  }
  return /^ext\d$/.test(fileSystem) ? partitionTypes.gpt.linux : partitionTypes.gpt.basicData
}
