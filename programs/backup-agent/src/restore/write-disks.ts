import type { RevisionToRestore, ServerMessage } from '@palisade/agent-protocol'
import { chunkCountMax, taskFailures } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import { type Destination, placeOf } from '../destinations/destination.ts'
import { destinationAt } from '../destinations/destination-at.ts'
import { LocalFolder } from '../destinations/local-folder.ts'
import { removeFiles, withRemainingFiles } from '../destinations/remove-files.ts'
import type { SmbFolder } from '../destinations/smb-folder.ts'
import type { DisksToPlan, PlanDisks, PlannedDisk, PlannedDisks } from '../disk-layout/planned-disk.ts'
import { keysForRestore } from '../end-to-end/task-keys.ts'
import { TaskFailure } from '../failure.ts'
import { isSharePath } from '../shares/share-path.ts'
import type { DiskToName } from '../state/journal.ts'
import type { RestoreContext } from './restore-context.ts'
import { writeShareDisks } from './streaming/write-share-disks.ts'
import { writeLocalDisks } from './write-local-disks.ts'

/** What disks are written from, and where to. */
export type DisksToWrite = DisksToPlan &
  Pick<Extract<ServerMessage, { type: 'start-restore' }>, 'destination'>

/** Disks that are complete and verified, and still under their partial names. */
export interface WrittenDisks {
  readonly destination: Destination
  readonly disks: readonly DiskToName[]
  /** Of their volumes. */
  readonly sizeBytes: number
}

/**
 * Writes all disks under their partial names, instead of files that an earlier run left, and verifies them: when it
 * resolves each is complete, durable as far as the destination goes, and reads back as it was backed up.
 */
type WriteDisks = (
  work: PlannedDisks,
  destination: LocalFolder | SmbFolder,
  context: RestoreContext,
) => Promise<void>

/**
 * The first steps of every restore: plan, writing, finishing. Rejects with a TaskFailure or the signal's reason, having
 * removed its files where it could.
 *
 * @param plan decides which disks there are
 * @param write given only by who writes something else than the content of the disks
 */
export async function writeDisks(
  request: DisksToWrite,
  plan: PlanDisks,
  context: RestoreContext,
  write?: WriteDisks,
): Promise<WrittenDisks> {
  const key = { task: 'restore', id: request.id } as const
  const destination = destinationAt(request.destination, context.shares, context.destinations)
  const { signal, journal, progress } = context
  progress.begin('plan', 0)
  requireRoomForPlan(request.revisions)
  const keys = await keysForRestore(request.revisions, context)
  requireTrustedDestination(request.destination.path, request.revisions, context)
  // The threads take some time to start: they do so while the disks are planned.
  if (write === undefined) context.workers.prepare(destination instanceof LocalFolder ? 'write' : 'stream')
  const disks = await plan(request, keys, destination, context)
  await destination.prepare()
  await requireSpace(destination, disks)
  const partialPaths = disks.map(({ partialPath }) => partialPath)
  await journal.record(key, { state: 'writing', ...placeOf(destination), partialPaths })
  try {
    await (write ?? writeContent)({ restoreId: request.id, disks, keys }, destination, context)
    signal.throwIfAborted()
  } catch (error) {
    const failure = withRemainingFiles(error, await removeFiles(partialPaths, destination))
    if (failure !== error) context.log.warn(describe(failure))
    await journal.forget(key)
    throw failure
  }
  return { destination, disks: disks.map(toName), sizeBytes: volumeBytesOf(disks) }
}

/** A file of this computer is written wherever a chunk belongs, one on a share from its first byte to its last. */
const writeContent: WriteDisks = (work, destination, context) =>
  destination instanceof LocalFolder
    ? writeLocalDisks(work, destination, context)
    : writeShareDisks(work, destination, context)

/**
 * The server says where a restore writes to. A folder of this computer is as good a place as the volumes themselves; a share
 * may be anybody's, and a server that was taken over would get there what it cannot open.
 *
 * @throws TaskFailure EndToEndShareRefused
 */
function requireTrustedDestination(
  path: string,
  revisions: readonly RevisionToRestore[],
  { ownKey }: RestoreContext,
): void {
  const sealed = revisions.find(({ endToEndKeyCheck }) => endToEndKeyCheck !== undefined)
  if (sealed === undefined || !isSharePath(path) || ownKey?.sharesAllowed === true) return
  throw new TaskFailure(
    taskFailures.endToEndShareRefused,
    `revision ${sealed.revisionId} is sealed end to end, and this agent writes such revisions to folders of its ` +
      'computer only, unless it is started with --end-to-end-shares',
  )
}

/** A plan keeps in memory for each chunk whether it is stored, and where it is on the disk. */
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
