import { type ByteSource, DiskFailure } from '@palisade/virtual-disk'
import type { Allocation } from './allocation.ts'
import { readDividedAllocation } from './divided.ts'
import { readExtAllocation } from './ext/allocation.ts'
import { readMdraidAllocation } from './mdraid.ts'
import { readNtfsAllocation } from './ntfs/allocation.ts'

/** Each answers undefined for a volume that holds something else; the first that knows better counts. */
const readers = [readDividedAllocation, readMdraidAllocation, readNtfsAllocation, readExtAllocation] as const

/** Finds the bitmap of a volume's file system, if it has one that is understood here. */
export async function readAllocation(volume: ByteSource): Promise<Allocation> {
  for (const read of readers) {
    try {
      const allocation = await read(volume)
      if (allocation !== undefined) return allocation
    } catch (error) {
      if (!(error instanceof DiskFailure)) throw error
      // A structure that reaches beyond the volume: too short for this kind, or too damaged to believe.
    }
  }
  return { kind: 'whole', why: 'it holds no NTFS nor ext2, ext3 or ext4 that can be understood' }
}
