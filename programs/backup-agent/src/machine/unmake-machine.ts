import type { MachineToMake, Outcome } from '@palisade/agent-protocol'
import { taskFailures } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import type { Destination } from '../destinations/destination.ts'
import { removeFiles } from '../destinations/remove-files.ts'
import type { DiskToName } from '../state/journal.ts'
import type { MachineContext } from './machine-context.ts'
import { retryOnHost } from './retry-on-host.ts'

/** Removing goes on after a cancellation, so nothing ends it but this. */
const patienceMaxMs = 30_000

/**
 * Takes back a machine and its disks, whatever there is of them: first the machine, which may be running, then the files.
 * May be called again after a kill.
 *
 * @param files absolute
 * @param outcome what the restore is to end with
 * @returns that; or an error that says what may be left
 */
export async function unmakeMachine(
  { machine, files, outcome }: { machine: MachineToMake; files: readonly string[]; outcome: Outcome },
  destination: Destination,
  { hosts, retryPolicy, log }: MachineContext,
): Promise<Outcome> {
  const giveUpAfterMs = Math.min(retryPolicy.giveUpAfterMs, patienceMaxMs)
  const remainingFiles: string[] = []
  try {
    const { driver } = hosts.find(machine.host)
    await retryOnHost(() => driver.remove(machine.id, { disks: false }), {
      retryPolicy: { ...retryPolicy, giveUpAfterMs },
    })
  } catch (error) {
    log.warn({ machine: machine.id }, `the machine cannot be removed: ${describe(error)}`)
    remainingFiles.push(`the machine ${machine.name} (${machine.id})`)
  }
  remainingFiles.push(...(await removeFiles(files, destination)))
  if (remainingFiles.length === 0) return outcome
  const { code, message } =
    outcome.state === 'ERROR'
      ? outcome
      : { code: taskFailures.hostFailed, message: 'the restore was to be taken back' }
  return {
    state: 'ERROR',
    code,
    message: `${message}; this may be left and cannot be removed: ${remainingFiles.join(', ')}`,
  }
}

/** Where the files of disks are that were to get their names: under the name that was tried last when it is theirs. */
export async function filesOf(disks: readonly DiskToName[], destination: Destination): Promise<string[]> {
  const files: string[] = []
  for (const { partialPath, attemptedPath } of disks) {
    const isNamed =
      attemptedPath !== undefined &&
      (await destination.giveName(partialPath, attemptedPath, true).catch(() => false))
    files.push(isNamed ? attemptedPath : partialPath)
  }
  return files
}
