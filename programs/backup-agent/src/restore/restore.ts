/**
 * A restore into disk files, step by step:
 *
 *     plan       ask which chunks are stored, decide where every byte will be, check that there is room
 *     writing    under partial names; the workers fetch, open and write, and read back what they wrote
 *     finishing  flush; write headers and footers, flush again; check the whole file
 *     naming     give each its name, the first that is free
 *
 *     plan ──> writing ──> finishing ──> naming ──> done
 *       └─────────┴────────────┘            └─ goes on after a restart
 *        remove the partial files
 *
 * All disks of a restore are verified before the first one gets its name: a failure or a cancellation leaves
 * nothing behind, and a name never stands for anything but a whole disk.
 */
import type { Outcome, ServerMessage } from '@palisade/agent-protocol'
import type { Destination } from '../destinations/destination.ts'
import { removeFiles, withRemainingFiles } from '../destinations/remove-files.ts'
import { planDisks } from '../disk-layout/planned-disk.ts'
import type { DiskToName, Journal, TaskKey } from '../state/journal.ts'
import { nameDisks } from './name-disks.ts'
import type { RestoreContext } from './restore-context.ts'
import { writeDisks } from './write-disks.ts'

/** The server's message: which revisions become disks, of which format, in which folder. */
export type RestoreRequest = Extract<ServerMessage, { type: 'start-restore' }>

/** Restores revisions as disk files. Rejects with a TaskFailure or the signal's reason, having removed its files where it could. */
export async function restore(request: RestoreRequest, context: RestoreContext): Promise<Outcome> {
  const { destination, disks, sizeBytes } = await writeDisks(request, planDisks, context)
  context.progress.beginDone('naming', sizeBytes)
  return finishRestore({ task: 'restore', id: request.id }, disks, destination, context.journal)
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
    const partialPaths = disks.map(({ partialPath }) => partialPath)
    throw withRemainingFiles(error, await removeFiles(partialPaths, destination))
  }
}
