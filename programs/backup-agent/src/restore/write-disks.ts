import type { RevisionToRestore } from '@palisade/agent-protocol'
import { chunkCountMax, taskFailures } from '@palisade/agent-protocol/wire'
import { type Destination, type DiskWork, destinationAt } from '../destinations/destination.ts'
import { placeOf } from '../destinations/place-of.ts'
import { removeFiles, withLeft } from '../destinations/remove-files.ts'
import type { DisksToPlan, PlannedDisk, planDisks } from '../disk-layout/planned-disk.ts'
import { keysForRestore, requireTrustedDestination } from '../end-to-end/task-keys.ts'
import { describe, TaskFailure } from '../failure.ts'
import type { DiskToName } from '../state/journal.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import type { RestoreRequest } from './restore.ts'

/** Disks that are complete and verified, and still under their partial names. */
export interface WrittenDisks {
  readonly destination: Destination
  readonly disks: readonly DiskToName[]
  /** Of their volumes. */
  readonly sizeBytes: number
}

type WriteDisks = (destination: Destination, work: DiskWork) => Promise<void>

/**
 * The first steps of every restore: plan, writing, finishing. Rejects with a TaskFailure or the signal's reason, having
 * removed its files where it could.
 *
 * @param plan decides which disks there are
 * @param write leaves each disk under its partial name, complete and durable; the destination does when it is left out
 */
export async function writeDisks(
  request: DisksToPlan & Pick<RestoreRequest, 'destination'>,
  plan: typeof planDisks,
  context: TaskContext,
  write?: WriteDisks,
): Promise<WrittenDisks> {
  const key = { task: 'restore', id: request.id } as const
  const destination = destinationAt(request.destination, context.shares, context.destinations)
  const { signal, journal, progress } = context
  progress.begin('plan', 0)
  requireRoomForPlan(request.revisions)
  const keys = await keysForRestore(request.revisions, context)
  requireTrustedDestination(request.destination.path, request.revisions, context)
  // What the threads take to start passes while the disks are planned.
  if (write === undefined) context.workers.prepare(destination.workOfThreads)
  const disks = await plan(request, destination, context)
  await destination.prepare()
  await requireSpace(destination, disks)
  const partialPaths = disks.map(({ partialPath }) => partialPath)
  await journal.record(key, { state: 'writing', ...placeOf(destination), partialPaths })
  try {
    const work = { restoreId: request.id, disks, keys }
    await (write === undefined ? destination.write(work, context) : write(destination, work))
    signal.throwIfAborted()
  } catch (error) {
    const failure = withLeft(error, await removeFiles(partialPaths, destination))
    if (failure !== error) context.log.warn(describe(failure))
    await journal.forget(key)
    throw failure
  }
  return { destination, disks: disks.map(toName), sizeBytes: volumeBytesOf(disks) }
}

/** Of each chunk it is kept in memory whether it is stored, and where it is on the disk. */
function requireRoomForPlan(revisions: readonly RevisionToRestore[]): void {
  const chunkCount = revisions.reduce((sum, revision) => sum + revision.chunkCount, 0)
  if (chunkCount <= chunkCountMax) return
  throw new TaskFailure(
    taskFailures.dataDamaged,
    `the revisions have ${chunkCount} chunks, and one restore can have ${chunkCountMax}: restore the volumes one by one`,
  )
}

async function requireSpace(destination: Destination, disks: readonly PlannedDisk[]): Promise<void> {
  const neededBytes = disks.reduce((sum, { plan }) => sum + plan.fileSizeBytes, 0)
  const freeBytes = await destination.freeBytes()
  if (neededBytes <= freeBytes) return
  throw new TaskFailure(
    taskFailures.notEnoughSpace,
    `${destination.folder} has ${freeBytes} bytes free, and ${neededBytes} are needed`,
  )
}

function volumeBytesOf(disks: readonly PlannedDisk[]): number {
  return disks
    .flatMap(({ volumes }) => volumes)
    .reduce((sum, { geometry }) => sum + geometry.volumeSizeBytes, 0)
}

function toName({ partialPath, baseName, extension }: DiskToName): DiskToName {
  return { partialPath, baseName, extension }
}
