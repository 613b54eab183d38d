import type { DiskPlacement, VolumeDescription } from '@palisade/agent-protocol'
import {
  type ByteSource,
  DiskFailure,
  type Extent,
  type Partition,
  type PartitionTable,
  partitionTypes,
  type ReadPartitionTable,
  readPartitionTable,
  type SectorSizeBytes,
} from '@palisade/virtual-disk'

/** Where a volume is on its disk, and what the partition table says about it. */
export interface PartitionFacts extends Extent {
  /** Undefined for a bare volume. */
  readonly number: number | undefined
  readonly scheme: VolumeDescription['partitionScheme']
  /** GPT type GUID, or MBR type as two hexadecimal digits; empty for a bare volume. */
  readonly type: string
  /** MBR: the one that a BIOS boots. */
  readonly isActive: boolean
  /** A logical drive of an MBR. */
  readonly isLogical: boolean
  /** UEFI of a disk that has an EFI system partition. */
  readonly firmware: VolumeDescription['firmware']
  /** Undefined for a bare volume. */
  readonly placement: DiskPlacement | undefined
}

/** A source that may hold a partition table. */
export interface Disk extends ByteSource {
  /** What an MBR counts in. Where it is not known, a GPT says it itself, and that of an MBR is 512. */
  readonly logicalSectorSizeBytes?: SectorSizeBytes | undefined
}

/** A source that is one volume from its first byte to its last. */
export function wholeSource(source: ByteSource): PartitionFacts {
  return {
    offsetBytes: 0,
    sizeBytes: source.sizeBytes,
    number: undefined,
    scheme: 'none',
    type: '',
    isActive: false,
    isLogical: false,
    firmware: 'bios',
    placement: undefined,
  }
}

/**
 * The partition table of a disk.
 *
 * @throws DiskFailure when it has none that can be read
 */
export function readTable(disk: Disk): Promise<ReadPartitionTable> {
  const { logicalSectorSizeBytes: sectorSizeBytes } = disk
  return readPartitionTable(disk, sectorSizeBytes === undefined ? {} : { sectorSizeBytes })
}

/**
 * The partitions of a disk, ordered by number.
 *
 * @throws DiskFailure when it has no partition table that can be read
 */
export async function readPartitions(disk: Disk): Promise<readonly PartitionFacts[]> {
  const table = await readTable(disk)
  return table.partitions.map((partition) => factsOf(table, partition))
}

/** The same; none when there is no table, or none to believe, as in the first sector of many a bare volume. */
export async function readPartitionsIfAny(disk: Disk): Promise<readonly PartitionFacts[]> {
  try {
    return await readPartitions(disk)
  } catch (error) {
    if (error instanceof DiskFailure) return []
    throw error
  }
}

function factsOf(table: PartitionTable, partition: Partition): PartitionFacts {
  const { offsetBytes, sizeBytes, number, type, active } = partition
  return {
    offsetBytes,
    sizeBytes,
    number,
    scheme: table.scheme,
    type,
    isActive: active,
    isLogical: partition.recordOffsetBytes !== undefined,
    firmware: firmwareOf(table),
    placement: placementOf(table, partition),
  }
}

function firmwareOf({ partitions }: PartitionTable): PartitionFacts['firmware'] {
  return partitions.some(({ type }) => isEfiSystem(type)) ? 'uefi' : 'bios'
}

/** Whether a partition, by its type of either scheme, is an EFI system partition. */
export function isEfiSystem(type: string): boolean {
  return type === partitionTypes.gpt.efiSystem || type === partitionTypes.mbr.efiSystem
}

/** What a table says of the place of one of its partitions. */
export function placementOf(table: PartitionTable, partition: Partition): DiskPlacement {
  const { diskId, diskSizeBytes, sectorSizeBytes } = table
  const { number, offsetBytes, uniqueId, name, attributes, active } = partition
  return {
    disk: { id: diskId, sizeBytes: diskSizeBytes, sectorSizeBytes },
    number,
    offsetBytes,
    uniqueId,
    name,
    attributes: attributes.toString(16),
    isActive: active,
  }
}
