import { type Extent, MIB, type Region, requireByteCount, roundUp } from '../extent.ts'
import { DiskFailure, requireArgument } from '../failure.ts'
import { parseGuid, randomGuid } from '../guid.ts'
import { encodePartitionTable } from './encode.ts'
import { ENTRIES_SIZE_BYTES } from './gpt.ts'
import {
  type Partition,
  type PartitionScheme,
  type PartitionTable,
  partitionTypes,
  type SectorSizeBytes,
} from './partition-table.ts'
import { randomSignature } from './single-volume-disk.ts'

/** A volume that is to lie on a disk together with others. */
export interface VolumeToPlace {
  readonly sizeBytes: number
  /** GPT: a type GUID. MBR: two hexadecimal digits. See `partitionTypes`. */
  readonly type: string
  /** Where it was: slot and place, which are kept when those of all volumes can be. */
  readonly original?: Pick<Partition, 'number' | 'offsetBytes'>
  /** GPT only; random unless given. */
  readonly uniqueId?: string
  /** GPT only; at most 36 UTF-16 units. */
  readonly name?: string
  /** GPT only. */
  readonly attributes?: bigint
  /** MBR only: whether a BIOS boots this partition. */
  readonly active?: boolean
}

/** The volumes for which `planVolumesDisk` makes a disk, and what the disk shall be. */
export interface VolumesDiskRequest {
  readonly scheme: PartitionScheme
  /** In the order in which they get their places when these are new. */
  readonly volumes: readonly VolumeToPlace[]
  /** At least so large; a disk whose volumes keep their places should have its old size. */
  readonly diskSizeBytes?: number
  /** GPT: a GUID; MBR: eight hexadecimal digits. Random unless given. */
  readonly diskId?: string
  /** At most 440 bytes for sector 0. */
  readonly bootCode?: Uint8Array
  /** 512 unless given. */
  readonly sectorSizeBytes?: SectorSizeBytes
}

/** A disk that holds several volumes, and the bytes around them. */
export interface VolumesDisk {
  readonly virtualSizeBytes: number
  readonly table: PartitionTable
  /** Where each volume lies, in the order of the request. */
  readonly offsetsBytes: readonly number[]
  /** Everything on the disk that is neither a volume nor zero, in ascending order. */
  readonly regions: readonly Region[]
}

type Placed = Pick<PartitionTable, 'partitions'> & Partial<Pick<PartitionTable, 'extended'>>

/**
 * Puts volumes on one disk: where they were, when that is known of all, fits the scheme and none touches another;
 * else one after another in steps of 1 MiB, as a new disk would be laid out. Of more than four volumes on an MBR the
 * fourth and those behind it are then logical drives.
 *
 * Throws `disk-too-large` when an MBR cannot describe the disk, `invalid-argument` for anything that is not a size,
 * type, name or id of the scheme.
 */
export function planVolumesDisk(request: VolumesDiskRequest): VolumesDisk {
  const { scheme, volumes, bootCode, sectorSizeBytes = 512 } = request
  requireArgument(volumes.length > 0, 'a disk of volumes has at least one')
  for (const { sizeBytes } of volumes) {
    requireByteCount(sizeBytes, 'sizeBytes')
    requireArgument(sizeBytes > 0, 'an empty volume cannot be put on a disk')
  }
  const diskId =
    scheme === 'gpt'
      ? parseGuid(request.diskId ?? randomGuid(), 'diskId')
      : (request.diskId ?? randomSignature()).toUpperCase()
  const layOut = (placed: Placed): VolumesDisk => {
    const table = {
      scheme,
      diskId,
      sectorSizeBytes,
      diskSizeBytes: diskSizeOf(placed, request),
      ...placed,
      partitions: placed.partitions.toSorted((a, b) => a.number - b.number),
    }
    return {
      virtualSizeBytes: table.diskSizeBytes,
      table,
      offsetsBytes: placed.partitions.map(({ offsetBytes }) => offsetBytes),
      regions: encodePartitionTable(table, bootCode === undefined ? {} : { bootCode }),
    }
  }
  const identify = (volume: VolumeToPlace, place: Place) =>
    partitionOf(volume, place, { scheme, diskId, sectorSizeBytes })
  return (
    tryOriginalPlaces(request, identify, layOut) ??
    layOut(
      scheme === 'mbr' && volumes.length > 4
        ? withLogicalDrives(volumes, identify)
        : { partitions: inARow(volumes).map(({ volume, place }) => identify(volume, place)) },
    )
  )
}

type Place = Pick<Partition, 'number' | 'offsetBytes' | 'recordOffsetBytes'>
type Identify = (volume: VolumeToPlace, place: Place) => Partition

/** Undefined when a volume has none, or they do not fit together. Logical drives get new places. */
function tryOriginalPlaces(
  { scheme, volumes }: VolumesDiskRequest,
  identify: Identify,
  layOut: (placed: Placed) => VolumesDisk,
): VolumesDisk | undefined {
  const partitions = volumes.flatMap((volume) => (volume.original ? identify(volume, volume.original) : []))
  const numberMax = scheme === 'mbr' ? 4 : Number.POSITIVE_INFINITY
  if (partitions.length < volumes.length || partitions.some(({ number }) => number > numberMax))
    return undefined
  try {
    return layOut({ partitions })
  } catch (error) {
    if (error instanceof DiskFailure && error.code === 'invalid-argument') return undefined
    throw error
  }
}

interface InARow {
  readonly volume: VolumeToPlace
  readonly place: Place
}

/** One behind another from 1 MiB on. */
function inARow(volumes: readonly VolumeToPlace[]): readonly InARow[] {
  let offsetBytes = MIB
  return volumes.map((volume, index) => {
    const place = { number: index + 1, offsetBytes }
    offsetBytes += roundUp(volume.sizeBytes, MIB)
    return { volume, place }
  })
}

/** Three primary partitions and one extended one, in which a boot record is 1 MiB in front of each drive. */
function withLogicalDrives(volumes: readonly VolumeToPlace[], identify: Identify): Placed {
  const primary = inARow(volumes.slice(0, 3)).map(({ volume, place }) => identify(volume, place))
  const containerOffset = Math.max(...primary.map(roomEnd))
  let next = containerOffset
  const logical = volumes.slice(3).map((volume, index) => {
    const place = { number: index + 5, offsetBytes: next + MIB, recordOffsetBytes: next }
    next = place.offsetBytes + roundUp(volume.sizeBytes, MIB)
    return identify(volume, place)
  })
  const extended = {
    number: 4,
    type: partitionTypes.mbr.extended,
    offsetBytes: containerOffset,
    sizeBytes: next - containerOffset,
  }
  return { partitions: [...primary, ...logical], extended }
}

function roomEnd({ offsetBytes, sizeBytes }: Extent): number {
  return roundUp(offsetBytes + sizeBytes, MIB)
}

/** A disk may end with its last partition, or with the copy of the GPT right behind it. */
function diskSizeOf(
  { partitions, extended }: Placed,
  { scheme, sectorSizeBytes = 512, diskSizeBytes = 0 }: VolumesDiskRequest,
): number {
  const used = [...partitions, ...(extended === undefined ? [] : [extended])]
  const copySizeBytes = scheme === 'gpt' ? ENTRIES_SIZE_BYTES + sectorSizeBytes : 0
  const endBytes = Math.max(...used.map(({ offsetBytes, sizeBytes }) => offsetBytes + sizeBytes))
  const isUsable = diskSizeBytes % sectorSizeBytes === 0 && diskSizeBytes >= endBytes + copySizeBytes
  return isUsable ? diskSizeBytes : roundUp(endBytes, MIB) + (scheme === 'gpt' ? MIB : 0)
}

function partitionOf(
  volume: VolumeToPlace,
  { number, offsetBytes, recordOffsetBytes }: Place,
  { scheme, diskId, sectorSizeBytes }: Pick<PartitionTable, 'scheme' | 'diskId' | 'sectorSizeBytes'>,
): Partition {
  const isGpt = scheme === 'gpt'
  requireArgument(!isGpt || volume.active !== true, 'only MBR partitions can be active')
  return {
    number,
    offsetBytes,
    sizeBytes: roundUp(volume.sizeBytes, sectorSizeBytes),
    type: isGpt ? parseGuid(volume.type, 'type') : volume.type.toUpperCase(),
    uniqueId: isGpt
      ? parseGuid(volume.uniqueId ?? randomGuid(), 'uniqueId')
      : `${diskId}-${number.toString(16).toUpperCase().padStart(2, '0')}`,
    name: isGpt ? (volume.name ?? '') : '',
    attributes: isGpt ? (volume.attributes ?? 0n) : 0n,
    active: volume.active ?? false,
    ...(recordOffsetBytes === undefined ? {} : { recordOffsetBytes }),
  }
}
