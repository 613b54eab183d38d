import type { DiskPlan } from '../disk/disk-plan.ts'
import type { DiskRequest } from '../disk/disk-request.ts'
import type { VirtualDisk } from '../disk/virtual-disk.ts'
import { type Extent, MIB } from '../extent.ts'
import { dataExtents } from '../read/allocated-extents.ts'
import { planDisk } from './plan-disk.ts'

/** A `DiskRequest` without what the original says: its size, its sectors and where its data is. */
export type CopyRequest = Omit<DiskRequest, 'virtualSizeBytes' | 'data' | 'logicalSectorSizeBytes'>

/**
 * Plans a disk that holds what another one does, whatever its format, parents included: hand the plan and the original
 * to `writeDiskFile` or `streamDisk`. A dynamic copy stores the blocks that hold anything but zeros, for which all
 * that the original stores is read. Ids are new unless given, because two disks of one id collide.
 *
 * Rejects as `planDisk` throws, and as reads of the original do.
 */
export async function planCopy(original: VirtualDisk, request: CopyRequest): Promise<DiskPlan> {
  const unitSizeBytes = Math.min(request.blockSizeBytes ?? MIB, MIB)
  const data: readonly Extent[] =
    request.allocation === 'fixed' ? [] : await Array.fromAsync(dataExtents(original, unitSizeBytes))
  const { sizeBytes: virtualSizeBytes, logicalSectorSizeBytes } = original
  return planDisk({ ...request, virtualSizeBytes, logicalSectorSizeBytes, data })
}
