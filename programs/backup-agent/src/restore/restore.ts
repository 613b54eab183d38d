/**
 * A restore into disk files, step by step:
 *
 *     plan       ask which chunks are stored, decide where every byte will be, check that there is room
 *     writing    under partial names; the workers fetch, open and write, and read back what they wrote
 *     finishing  everything durable; then headers and footers, durable as well; check what has become of it
 *     naming     give each its name, the first that is free
 *
 *     plan ──> writing ──> finishing ──> naming ──> done
 *       └─────────┴────────────┘            └─ goes on after a restart
 *        remove the partial files
 *
 * All disks of a restore are verified before the first one gets its name: a failure or a cancellation leaves
 * nothing behind, and a name never stands for anything but a whole disk.
 */
import { type Outcome, type ServerMessage, taskFailures } from '@palisade/agent-protocol'
import type { ChunkKeys } from '@palisade/vault'
import { TaskFailure } from '../failure.ts'
import { fetchKeys } from '../server/keys.ts'
import { persist } from '../server/persist.ts'
import type { DiskToName, Journal, TaskKey } from '../state/journal.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import { type Destination, destinationAt } from './destination.ts'
import { DiskOnItsWay } from './disk-on-its-way.ts'
import { nameDisks } from './name-disks.ts'
import { type PlannedDisk, planDisks } from './planned-disk.ts'
import { storedSizeBytes } from './stored-extents.ts'

export type RestoreRequest = Extract<ServerMessage, { type: 'start-restore' }>

/** Restores revisions as disk files. Rejects with a TaskFailure or the signal's reason, having removed its files. */
export async function restore(request: RestoreRequest, context: TaskContext): Promise<Outcome> {
  const key = { task: 'restore', id: request.id } as const
  const destination = destinationAt(request.destination.path)
  const { signal, patience, client, journal, progress } = context
  progress.begin('plan', 0)
  const { chunkKeys } = await persist(() => fetchKeys(client, signal), { signal, patience })
  const disks = await planDisks(request, destination, context)
  await destination.prepare()
  await requireSpace(destination, disks)
  const partials = disks.map(({ partialPath }) => partialPath)
  await journal.record(key, { state: 'writing', folder: destination.folder, partialPaths: partials })
  try {
    await writeAndVerify(request.id, disks, chunkKeys, destination, context)
    signal.throwIfAborted()
  } catch (error) {
    await unwind(disks, destination)
    await journal.forget(key)
    throw error
  }
  progress.beginDone('naming', volumeBytesOf(disks))
  return finishRestore(key, disks.map(toName), destination, journal)
}

/** The last step, also of a restore that was killed in it. */
export async function finishRestore(
  key: TaskKey,
  disks: readonly DiskToName[],
  destination: Destination,
  journal: Journal,
): Promise<Outcome> {
  try {
    return { state: 'SUCCESS', files: await nameDisks(key, disks, destination, journal) }
  } catch (error) {
    await unwind(disks, destination)
    throw error
  }
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

async function writeAndVerify(
  restoreId: string,
  disks: readonly PlannedDisk[],
  keys: ChunkKeys,
  destination: Destination,
  context: TaskContext,
): Promise<void> {
  const { progress } = context
  const storedBytes = disks.reduce((sum, disk) => sum + storedSizeBytes(disk.presence, disk.geometry), 0)
  const onTheirWay: DiskOnItsWay[] = []
  try {
    const bytesDone = progress.begin('writing', storedBytes)
    for (const disk of disks) {
      const begun = await DiskOnItsWay.begin(disk, destination)
      onTheirWay.push(begun)
      await begun.write(restoreId, keys, bytesDone, context)
    }
    progress.beginDone('finishing', storedBytes)
    for (const disk of onTheirWay) await disk.finish()
  } finally {
    for (const disk of onTheirWay) await disk.close()
  }
}

async function unwind(disks: readonly DiskToName[], destination: Destination): Promise<void> {
  for (const { partialPath } of disks) await destination.removePartial(partialPath)
}

function volumeBytesOf(disks: readonly PlannedDisk[]): number {
  return disks.reduce((sum, { geometry }) => sum + geometry.volumeSizeBytes, 0)
}

function toName({ partialPath, baseName, extension }: DiskToName): DiskToName {
  return { partialPath, baseName, extension }
}
