import { taskFailures } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import {
  type ByteSource,
  checkDisk,
  type DiskPlan,
  extentOf,
  openDisk,
  openFile,
  placeOf,
  presentBlocks,
  type Region,
  readBytes,
  structuresOf,
  type VirtualDisk,
} from '@palisade/virtual-disk'
import { TaskFailure } from '../failure.ts'
import type { DiskShape } from './disk-shape.ts'

/** Blocks that are looked up both ways. A table that is wrong is wrong for more than one of them. */
const samplesMax = 64
/** So much is read of each place that is compared. */
export const sampleSizeBytes = 4096

/**
 * Checks a finished disk: its structure by itself; then everything in its file beside the data, byte by byte,
 * against the plan; then, opened as anybody would open it, which blocks it stores, where it finds them, and the
 * partition table. The data was read back when it was written.
 *
 * @param path the disk, or a copy of everything of it but its data, with holes for that
 * @param shownPath what the disk is called in the failure
 * @throws TaskFailure VerificationFailed
 */
export async function verifyLayout(
  path: string,
  { plan, regions }: Pick<DiskShape, 'plan' | 'regions'>,
  shownPath: string = path,
): Promise<void> {
  const file = await openFile(path)
  try {
    await requireNoDamage(file, plan)
    require(await holds(file, structuresOf(plan)), 'a table or header is not as it was written')
    const disk = await openDisk(file, { format: plan.format })
    require(disk.sizeBytes === plan.virtualSizeBytes, 'the disk has another size')
    require(await storesPlannedBlocks(disk, plan), 'the disk stores other blocks')
    require(await findsBlocks(disk, file, plan), 'the disk finds a block in another place')
    require(await holds(disk, regions), 'the partition table or boot code is not as it was written')
  } catch (error) {
    throw new TaskFailure(taskFailures.verificationFailed, `${shownPath} is not right: ${describe(error)}`, {
      cause: error,
    })
  } finally {
    await file.close()
  }
}

/** Whether the beginning of the `rank`-th present block is looked up both ways. */
export function isSampled({ blocks }: DiskPlan, rank: number): boolean {
  return rank % Math.ceil(blocks.presentCount / samplesMax) === 0
}

function require(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise)
}

async function requireNoDamage(file: ByteSource, { format }: DiskPlan): Promise<void> {
  const findings = await checkDisk(file, { format })
  const damage = findings.find(({ severity }) => severity === 'error')
  if (damage !== undefined)
    throw new Error(`${damage.message} (${damage.code}, at byte ${damage.offsetBytes})`)
}

async function holds(source: ByteSource, regions: Iterable<Region>): Promise<boolean> {
  for (const region of regions) {
    const { offsetBytes, sizeBytes } = extentOf(region)
    if (!(await readBytes(source, offsetBytes, sizeBytes)).equals(region.bytes)) return false
  }
  return true
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

/** Compares the beginnings of some blocks as the disk gives them with what the file has in their places. */
async function findsBlocks(disk: VirtualDisk, file: ByteSource, plan: DiskPlan): Promise<boolean> {
  let rank = 0
  for (const block of presentBlocks(plan.blocks)) {
    if (!isSampled(plan, rank++)) continue
    const offsetBytes = block * plan.blockSizeBytes
    const sizeBytes = Math.min(sampleSizeBytes, plan.virtualSizeBytes - offsetBytes)
    const place = placeOf(plan, offsetBytes)
    if (place === undefined) return false
    const content = await readBytes(disk, offsetBytes, sizeBytes)
    if (!content.equals(await readBytes(file, place, sizeBytes))) return false
  }
  return true
}
