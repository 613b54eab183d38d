import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { taskFailures } from '@palisade/agent-protocol/wire'
import type { SmbFolder } from '../../destinations/smb-folder.ts'
import type { PlannedDisks } from '../../disk-layout/planned-disk.ts'
import { type PlannedDisk, storedBytesOf } from '../../disk-layout/planned-disk.ts'
import { TaskFailure } from '../../failure.ts'
import type { ChunkIdFile } from '../../state/chunk-id-file.ts'
import type { RestoreContext } from '../restore-context.ts'
import { eachBounded } from './each-bounded.ts'
import { ForwardReader } from './forward-reader.ts'
import { sendDisk } from './send-disk.ts'
import { ShareDiskCheck } from './share-disk-check.ts'

/** How many disks of a restore are on their way at a time, each over a connection of its own. */
const disksMax = 2

/** A disk that was sent, and the ids by which each of its volumes is checked. */
interface SentDisk {
  readonly disk: PlannedDisk
  readonly ids: readonly ChunkIdFile[]
}

/**
 * Writes the disks of a restore to a share: each as one stream, because the client writes no other way; then reads each
 * back as one stream.
 */
export async function writeShareDisks(
  work: PlannedDisks,
  folder: SmbFolder,
  context: RestoreContext,
): Promise<void> {
  const { disks, keys } = work
  const storedBytes = storedBytesOf(disks)
  const sentDisks: SentDisk[] = []
  try {
    const bytesDone = context.progress.begin('writing', storedBytes)
    await eachBounded(disks, disksMax, context, async (disk, inner) => {
      await folder.removePartial(disk.partialPath)
      const open = (signal: AbortSignal) => folder.startWriting(disk.partialPath, signal)
      sentDisks.push({ disk, ids: await sendDisk(disk, { ...work, bytesDone }, open, inner) })
      await requireSize(disk, folder)
    })
    const bytesChecked = context.progress.begin('finishing', storedBytes)
    await eachBounded(sentDisks, disksMax, context, async ({ disk, ids }, inner) => {
      const check = new ShareDiskCheck(disk, { keys, ids, bytesDone: bytesChecked })
      await readBack(disk, check, folder, inner)
    })
  } finally {
    for (const ids of sentDisks.flatMap((disk) => disk.ids)) await ids.remove()
  }
}

/** smbclient does not report that its input ended early: it leaves a short file. */
async function requireSize({ partialPath, plan }: PlannedDisk, folder: SmbFolder): Promise<void> {
  const sizeBytes = await folder.sizeOf(partialPath)
  if (sizeBytes === plan.fileSizeBytes) return
  throw new TaskFailure(
    taskFailures.verificationFailed,
    `${partialPath} is not right: it has ${sizeBytes ?? 'no'} bytes on the share instead of ${plan.fileSizeBytes}`,
  )
}

async function readBack(
  { partialPath }: PlannedDisk,
  check: ShareDiskCheck,
  folder: SmbFolder,
  { workDirectory, signal }: RestoreContext,
): Promise<void> {
  const transfer = folder.startReading(partialPath, signal)
  transfer.input.end()
  try {
    const skeletonPath = join(workDirectory, `${randomUUID()}.skeleton`)
    await check.run(new ForwardReader(transfer.output), skeletonPath)
    await transfer.done
  } catch (error) {
    // When the client was cut off, its failure explains why the file seems to end early.
    if (transfer.output.readableEnded) await transfer.done
    throw error
  } finally {
    transfer.kill()
    transfer.output.destroy()
  }
}
