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
import { asTaskFailure, describe, TaskFailure } from '../failure.ts'
import { fetchKeys } from '../server/keys.ts'
import { persist } from '../server/persist.ts'
import type { DiskToName, Journal, TaskKey } from '../state/journal.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import { type Destination, destinationAt } from './destination.ts'
import { nameDisks } from './name-disks.ts'
import { placeOf } from './place-of.ts'
import { type PlannedDisk, planDisks } from './planned-disk.ts'

export type RestoreRequest = Extract<ServerMessage, { type: 'start-restore' }>

/** Restores revisions as disk files. Rejects with a TaskFailure or the signal's reason, having removed its files where it could. */
export async function restore(request: RestoreRequest, context: TaskContext): Promise<Outcome> {
  const key = { task: 'restore', id: request.id } as const
  const destination = destinationAt(request.destination, context.shares)
  const { signal, patience, client, journal, progress } = context
  progress.begin('plan', 0)
  const { chunkKeys } = await persist(() => fetchKeys(client, signal), { signal, patience })
  const disks = await planDisks(request, destination, context)
  await destination.prepare()
  await requireSpace(destination, disks)
  const partials = disks.map(({ partialPath }) => partialPath)
  await journal.record(key, { state: 'writing', ...placeOf(destination), partialPaths: partials })
  try {
    await destination.write({ restoreId: request.id, disks, keys: chunkKeys }, context)
    signal.throwIfAborted()
  } catch (error) {
    const failure = await unwound(error, disks, destination)
    if (failure !== error) context.log.warn(describe(failure))
    await journal.forget(key)
    throw failure
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
    throw await unwound(error, disks, destination)
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

/**
 * Removes the partial files after a failure.
 *
 * @returns what to end with: the failure, and in its words what is left when something cannot be removed
 */
async function unwound(
  error: unknown,
  disks: readonly DiskToName[],
  destination: Destination,
): Promise<unknown> {
  const left: string[] = []
  for (const { partialPath } of disks) {
    await destination.removePartial(partialPath).catch(() => left.push(partialPath))
  }
  if (left.length === 0) return error
  const { code, message } = asTaskFailure(error)
  return new TaskFailure(code, `${message}; this may be left and cannot be removed: ${left.join(', ')}`, {
    cause: error,
  })
}

function volumeBytesOf(disks: readonly PlannedDisk[]): number {
  return disks.reduce((sum, { geometry }) => sum + geometry.volumeSizeBytes, 0)
}

function toName({ partialPath, baseName, extension }: DiskToName): DiskToName {
  return { partialPath, baseName, extension }
}
