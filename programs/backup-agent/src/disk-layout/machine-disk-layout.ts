/**
 * How the volumes of one disk are put back on it. The first of these that applies decides:
 *
 * - The frame was kept, and every volume is one of its partitions, at the same place and as large: the disk is the one
 *   that was backed up, byte for byte, with zeros in partitions that are not restored.
 * - All places are known and fit together: the same places and ids in a new table, with the boot code of the frame.
 * - Else one volume after another, as a new disk would have them: an MBR with an active partition for what a BIOS
 *   starts, a GPT for what UEFI starts, the old scheme for data.
 */
import type { VolumeDescription } from '@palisade/agent-protocol'
import {
  DiskFailure,
  type Extent,
  extentOf,
  type PartitionScheme,
  type PartitionTable,
  planVolumesDisk,
  type Region,
  type SectorSizeBytes,
  type VolumeToPlace,
} from '@palisade/virtual-disk'
import { gptType, mbrType } from './disk-shape.ts'
import type { StoredFrame } from './fetch-frame.ts'
import type { StoredVolume } from './stored-volume.ts'

/** Where everything on a disk will be. */
export interface DiskLayout {
  readonly virtualSizeBytes: number
  /** What the partition table counts in: as large as on the disk that was backed up. */
  readonly sectorSizeBytes: SectorSizeBytes
  /** Where each volume begins, in the order in which they were given. */
  readonly offsetsBytes: readonly number[]
  readonly regions: readonly Region[]
}

const bootCodeSizeBytes = 440
const bootRecordSizeBytes = 512
const gptNameLengthMax = 36

/**
 * Lays out one disk.
 *
 * @throws DiskFailure when neither scheme can hold the volumes
 */
export function layOutMachineDisk(
  volumes: readonly StoredVolume[],
  frame: StoredFrame | undefined,
): DiskLayout {
  const descriptions = volumes.map(({ revision }) => revision.volume)
  if (frame?.table !== undefined && frame.isInGoodOrder && holdsAll(frame.table, descriptions)) {
    return asItWas(frame.table, frame.regions, descriptions)
  }
  return anew(descriptions, frame)
}

function holdsAll({ partitions }: PartitionTable, volumes: readonly VolumeDescription[]): boolean {
  const numbers = new Set(volumes.map(({ placement }) => placement?.number))
  return (
    numbers.size === volumes.length &&
    volumes.every(({ placement, capacityBytes }) =>
      partitions.some(
        ({ number, offsetBytes, sizeBytes }) =>
          number === placement?.number &&
          offsetBytes === placement.offsetBytes &&
          sizeBytes === capacityBytes,
      ),
    )
  )
}

function asItWas(
  { diskSizeBytes, sectorSizeBytes }: PartitionTable,
  regions: readonly Region[],
  volumes: readonly VolumeDescription[],
): DiskLayout {
  const extents = volumes.map(({ placement, capacityBytes }) => ({
    offsetBytes: placement?.offsetBytes ?? 0,
    sizeBytes: capacityBytes,
  }))
  return {
    virtualSizeBytes: diskSizeBytes,
    sectorSizeBytes,
    offsetsBytes: extents.map(({ offsetBytes }) => offsetBytes),
    // A boot loader's partition is a part of the frame, and may have been backed up as a volume too.
    regions: regions.filter((region) => !extents.some((extent) => isWithin(extentOf(region), extent))),
  }
}

function isWithin(inner: Extent, outer: Extent): boolean {
  return (
    inner.offsetBytes >= outer.offsetBytes &&
    inner.offsetBytes + inner.sizeBytes <= outer.offsetBytes + outer.sizeBytes
  )
}

function anew(volumes: readonly VolumeDescription[], frame: StoredFrame | undefined): DiskLayout {
  const scheme = schemeFor(volumes)
  if (scheme === 'gpt') return planned('gpt', volumes, frame)
  try {
    return withGap(planned('mbr', volumes, frame), frame)
  } catch (error) {
    if (!(error instanceof DiskFailure && error.code === 'disk-too-large')) throw error
    return planned('gpt', volumes, frame)
  }
}

function planned(
  scheme: PartitionScheme,
  volumes: readonly VolumeDescription[],
  frame: StoredFrame | undefined,
): DiskLayout {
  const disk = planVolumesDisk(requestFor(scheme, volumes, frame))
  return { ...disk, sectorSizeBytes: disk.table.sectorSizeBytes }
}

function schemeFor(volumes: readonly VolumeDescription[]): PartitionScheme {
  const boot = volumes.find(({ isBoot }) => isBoot)
  if (boot !== undefined) return boot.firmware === 'uefi' ? 'gpt' : 'mbr'
  return volumes.some(({ partitionScheme }) => partitionScheme === 'mbr') ? 'mbr' : 'gpt'
}

function requestFor(
  scheme: PartitionScheme,
  volumes: readonly VolumeDescription[],
  frame: StoredFrame | undefined,
) {
  const original = volumes.find(
    ({ partitionScheme, placement }) => partitionScheme === scheme && placement,
  )?.placement
  const bootCode = bootCodeOf(frame)
  const active = activeOf(volumes)
  return {
    scheme,
    volumes: volumes.map((volume) => toPlace(volume, scheme, volume === active)),
    ...(original === undefined
      ? {}
      : {
          diskId: original.disk.id,
          diskSizeBytes: original.disk.sizeBytes,
          sectorSizeBytes: original.disk.sectorSizeBytes,
        }),
    ...(bootCode === undefined ? {} : { bootCode }),
  }
}

/** The one that a BIOS is to start: what was active, else what starts others, else what starts. */
function activeOf(volumes: readonly VolumeDescription[]): VolumeDescription | undefined {
  return (
    volumes.find(({ placement }) => placement?.isActive === true) ??
    volumes.find(({ isSystem }) => isSystem === true) ??
    volumes.find(({ isBoot }) => isBoot)
  )
}

function toPlace(volume: VolumeDescription, scheme: PartitionScheme, isActive: boolean): VolumeToPlace {
  const { capacityBytes: sizeBytes, placement, partitionScheme, label } = volume
  const original = placement === undefined ? {} : { original: placement }
  if (scheme === 'mbr') return { sizeBytes, type: mbrType(volume), active: isActive, ...original }
  const ids =
    placement !== undefined && partitionScheme === 'gpt'
      ? {
          uniqueId: placement.uniqueId,
          name: placement.name,
          attributes: BigInt(`0x${placement.attributes}`),
        }
      : { name: label.slice(0, gptNameLengthMax).toWellFormed() }
  return { sizeBytes, type: gptType(volume), ...ids, ...original }
}

function bootCodeOf(frame: StoredFrame | undefined): Uint8Array | undefined {
  const front = frame?.regions.find(({ offsetBytes }) => offsetBytes === 0)
  return front?.bytes.subarray(0, bootCodeSizeBytes)
}

/** GRUB's first stage reads the next one from the sectors behind the MBR: they go with it, as far as there is room. */
function withGap(disk: DiskLayout, frame: StoredFrame | undefined): DiskLayout {
  const front =
    frame?.table?.scheme === 'mbr' ? frame.regions.find(({ offsetBytes }) => offsetBytes === 0) : undefined
  const gap = front?.bytes.subarray(bootRecordSizeBytes)
  if (gap === undefined || gap.byteLength === 0) return disk
  const firstBytes = Math.min(...disk.offsetsBytes)
  if (bootRecordSizeBytes + gap.byteLength > firstBytes) return disk
  const [record, ...others] = disk.regions
  return record === undefined
    ? disk
    : { ...disk, regions: [record, { offsetBytes: bootRecordSizeBytes, bytes: gap }, ...others] }
}
