import { type Destination, placeOf } from '../destinations/destination.ts'
import { destinationFailures, TaskFailure } from '../failure.ts'
import type { DiskToName, Journal, MachineRecord, TaskKey } from '../state/journal.ts'

/** Beyond this many disks of one name in a folder, nobody looks for the newest one by its number. */
const numberMax = 10_000

/**
 * Gives complete and verified disks their names, each the first that is free: `name.vhdx`, `name-2.vhdx`,
 * `name-3.vhdx` … Each attempt is recorded before it is made, so that this can be called again with what the
 * journal says after the agent was killed at any point of it.
 *
 * @param machine what the disks are for, to be kept with the attempts; undefined for a restore as disks alone
 * @returns the names, absolute, in the order of the disks
 */
export async function nameDisks(
  key: TaskKey,
  disks: readonly DiskToName[],
  destination: Destination,
  journal: Journal,
  machine?: MachineRecord,
): Promise<string[]> {
  const place = { ...placeOf(destination), ...(machine === undefined ? {} : { machine }) }
  const attempted = [...disks]
  for (const [index, disk] of disks.entries()) {
    attempted[index] = await nameDisk(disk, destination, (attempt) => {
      attempted[index] = attempt
      return journal.record(key, { state: 'naming', ...place, disks: attempted })
    })
  }
  return attempted.map(({ attemptedPath = '' }) => attemptedPath)
}

async function nameDisk(
  disk: DiskToName,
  destination: Destination,
  record: (attempt: DiskToName) => Promise<void>,
): Promise<DiskToName> {
  const { partialPath, attemptedPath } = disk
  if (attemptedPath !== undefined && (await destination.giveName(partialPath, attemptedPath, true)))
    return disk
  for (let number = 1; number <= numberMax; number++) {
    const finalPath = destination.pathOf(numberedName(disk, number))
    const attempt = { ...disk, attemptedPath: finalPath }
    await record(attempt)
    if (await destination.giveName(partialPath, finalPath, false)) return attempt
  }
  throw new TaskFailure(
    destinationFailures.createFolderFailed,
    `there are too many disks named ${disk.baseName} in ${destination.folder}`,
  )
}

function numberedName({ baseName, extension }: DiskToName, number: number): string {
  return number === 1 ? `${baseName}.${extension}` : `${baseName}-${number}.${extension}`
}
