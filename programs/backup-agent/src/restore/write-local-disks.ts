import type { LocalFolder } from '../destinations/local-folder.ts'
import type { PlannedDisks } from '../disk-layout/planned-disk.ts'
import { storedBytesOf } from '../disk-layout/planned-disk.ts'
import { PartialDisk } from './partial-disk.ts'
import type { RestoreContext } from './restore-context.ts'

/** Writes disks to files of this computer, one after another with all threads; then finishes and checks each. */
export async function writeLocalDisks(
  { restoreId, disks, keys }: PlannedDisks,
  folder: LocalFolder,
  context: RestoreContext,
): Promise<void> {
  const { progress } = context
  const partialDisks: PartialDisk[] = []
  try {
    const bytesDone = progress.begin('writing', storedBytesOf(disks))
    for (const disk of disks) {
      const partialDisk = await PartialDisk.begin(disk, folder)
      partialDisks.push(partialDisk)
      await partialDisk.write(restoreId, keys, bytesDone, context)
    }
    progress.beginDone('finishing', storedBytesOf(disks))
    for (const disk of partialDisks) await disk.finish()
  } finally {
    for (const disk of partialDisks) await disk.close()
  }
}
