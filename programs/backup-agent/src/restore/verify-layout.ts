import { taskFailures } from '@palisade/agent-protocol'
import {
  type DiskPlan,
  extentOf,
  openDisk,
  openFile,
  presentBlocks,
  readBytes,
  type VirtualDisk,
} from '@palisade/virtual-disk'
import { describe, TaskFailure } from '../failure.ts'
import type { DiskShape } from './disk-shape.ts'

/**
 * Opens a finished disk by what its file says, and compares it with the plan: its size, which blocks it stores,
 * and the partition table. What the blocks contain is compared by the workers.
 *
 * @throws TaskFailure VerificationFailed
 */
export async function verifyLayout(path: string, { plan, regions }: DiskShape): Promise<void> {
  const file = await openFile(path)
  try {
    const disk = await openDisk(file)
    const isRight =
      disk.format === plan.format &&
      disk.sizeBytes === plan.virtualSizeBytes &&
      (await storesPlannedBlocks(disk, plan)) &&
      (await holdsRegions(disk, regions))
    if (!isRight) throw new Error('it does not read back as it was planned')
  } catch (error) {
    throw new TaskFailure(taskFailures.verificationFailed, `${path} is not right: ${describe(error)}`, {
      cause: error,
    })
  } finally {
    await file.close()
  }
}

/** Walks the stored extents of the disk and the present blocks of the plan side by side. */
async function storesPlannedBlocks(disk: VirtualDisk, plan: DiskPlan): Promise<boolean> {
  const planned = presentBlocks(plan.blocks)
  for await (const { kind, offsetBytes, sizeBytes } of disk.extents()) {
    if (kind !== 'data') continue
    for (let at = offsetBytes; at < offsetBytes + sizeBytes; at += plan.blockSizeBytes) {
      if (planned.next().value !== at / plan.blockSizeBytes) return false
    }
  }
  return planned.next().done === true
}

async function holdsRegions(disk: VirtualDisk, regions: DiskShape['regions']): Promise<boolean> {
  for (const region of regions) {
    const { offsetBytes, sizeBytes } = extentOf(region)
    if (!(await readBytes(disk, offsetBytes, sizeBytes)).equals(region.bytes)) return false
  }
  return true
}
