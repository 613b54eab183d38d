/**
 * Whether a volume is a boot volume, and of which firmware, follows from the partition table alone:
 *
 * - GPT with an EFI system partition: a UEFI starts this disk. Its volumes are boot volumes, but for the
 *   partitions that never take part in a start (reserved and recovery).
 * - MBR: a BIOS starts the active partition; that one is a boot volume.
 * - Everything else, and a bare volume, is data.
 */
import type { VolumeDescription } from '@palisade/agent-protocol'
import {
  type ByteSource,
  type Extent,
  type Partition,
  type PartitionTable,
  partitionTypes,
  readPartitionTable,
} from '@palisade/virtual-disk'

/** Where a volume is on its disk, and what the partition table says about it. */
export interface PartitionFacts extends Extent {
  readonly scheme: VolumeDescription['partitionScheme']
  /** GPT type GUID, or MBR type as two hexadecimal digits; empty for a bare volume. */
  readonly type: string
  readonly isBoot: boolean
  readonly firmware: VolumeDescription['firmware']
}

/** A source that is one volume from its first byte to its last. */
export function wholeSource(source: ByteSource): PartitionFacts {
  return {
    offsetBytes: 0,
    sizeBytes: source.sizeBytes,
    scheme: 'none',
    type: '',
    isBoot: false,
    firmware: 'bios',
  }
}

/**
 * Finds a partition by its number in the table, counted from 1; undefined when there is none.
 *
 * @throws DiskFailure when the disk has no partition table that can be read
 */
export async function findPartition(disk: ByteSource, number: number): Promise<PartitionFacts | undefined> {
  const table = await readPartitionTable(disk)
  const partition = table.partitions.find((candidate) => candidate.number === number)
  if (partition === undefined) return undefined
  const { offsetBytes, sizeBytes, type } = partition
  const firmware = hasEfiSystemPartition(table) ? 'uefi' : 'bios'
  return { offsetBytes, sizeBytes, type, scheme: table.scheme, firmware, isBoot: isBoot(partition, firmware) }
}

const neverBooted: ReadonlySet<string> = new Set([
  partitionTypes.gpt.microsoftReserved,
  partitionTypes.gpt.recovery,
])

function isBoot(partition: Partition, firmware: PartitionFacts['firmware']): boolean {
  return firmware === 'uefi' ? !neverBooted.has(partition.type) : partition.active
}

function hasEfiSystemPartition({ scheme, partitions }: PartitionTable): boolean {
  return scheme === 'gpt' && partitions.some(({ type }) => type === partitionTypes.gpt.efiSystem)
}
