import type { DiskPlacement } from '@palisade/agent-protocol'
import type { Partition, PartitionTable } from '@palisade/virtual-disk'

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
