import type { DiskWork } from '../destinations/destination.ts'
import type { LocalFolder } from '../destinations/local-folder.ts'
import { storedBytesOf } from '../disk-layout/planned-disk.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import { DiskOnItsWay } from './partial-disk.ts'

/** Writes disks into files of this computer: all of each by all threads, then makes them disks and checks them. */
export async function writeLocalDisks(
  { restoreId, disks, keys }: DiskWork,
  folder: LocalFolder,
  context: TaskContext,
): Promise<void> {
  const { progress } = context
  const onTheirWay: DiskOnItsWay[] = []
  try {
    const bytesDone = progress.begin('writing', storedBytesOf(disks))
    for (const disk of disks) {
      const begun = await DiskOnItsWay.begin(disk, folder)
      onTheirWay.push(begun)
      await begun.write(restoreId, keys, bytesDone, context)
    }
    progress.beginDone('finishing', storedBytesOf(disks))
    for (const disk of onTheirWay) await disk.finish()
  } finally {
    for (const disk of onTheirWay) await disk.close()
  }
}
