import { type ByteSource, DiskFailure, readPartitionTable } from '@palisade/virtual-disk'
import type { Allocation } from './allocation.ts'

/**
 * A volume that is divided itself, as the disk of a virtual machine is, or a disk whose partition table is damaged. Dividing
 * changes the first sector and little else: whatever file system the place held before still looks whole, and knows
 * nothing of what is in the partitions.
 *
 * @returns undefined when there is no partition of a partition table
 * @throws DiskFailure when there is no partition table
 */
export async function readDividedAllocation(volume: ByteSource): Promise<Allocation | undefined> {
  try {
    const { partitions } = await readPartitionTable(volume)
    return partitions.length === 0 ? undefined : { kind: 'whole', why: 'it is divided into partitions' }
  } catch (error) {
    if (!(error instanceof DiskFailure) || error.code === 'no-partition-table') throw error
    return { kind: 'whole', why: `it seems to be a disk with a damaged partition table (${error.message})` }
  }
}
