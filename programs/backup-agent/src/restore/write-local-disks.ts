import type { TaskContext } from '../tasks/task-context.ts'
import type { DiskWork } from './destination.ts'
import { DiskOnItsWay } from './disk-on-its-way.ts'
import type { LocalFolder } from './local-folder.ts'
import { storedBytesOf } from './planned-disk.ts'

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
