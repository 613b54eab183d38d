/**
 * What an agent keeps between its runs:
 *
 *     agent.lock         held by the agent that uses the directory
 *     credential.json    what the server gave it when it enrolled; readable by the owner alone
 *     end-to-end.json    which key of its own the computer has sealed backups with; not the key
 *     journal/           one small file per task that is not settled
 *     snapshots/         one small file per snapshot that is to be removed
 *     kept/              what is known of copies of images that were kept, and lists of chunk ids that belong to them
 *     restored.json      which disks it has restored, so that they may be compared
 *     restores/          where restores go unless the owner of the computer names other folders
 *     work/              lists of chunk ids of running tasks; emptied at each start
 */
import { closeSync, constants, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { folderFailureOf, makePrivateFolder } from '@palisade/start-up'

const sqliteBusy = 5

/** The paths at which an agent keeps its state. */
export interface StateDirectory {
  readonly credentialFile: string
  readonly ownKeyFile: string
  readonly journalDirectory: string
  readonly workDirectory: string
  readonly snapshotDirectory: string
  readonly keptDirectory: string
  readonly restoreDirectory: string
  readonly restoredFile: string
  /** Gives the directory back. */
  release(): void
}

/**
 * Makes the directory (mode 0700), unless it is there and belongs to this user, and takes it for this process. The lock is SQLite's
 * file lock, which the system releases however the process ends: there are no stale locks.
 *
 * @throws Error in one sentence when it cannot be made or written to, others may write in it, it belongs to another user, or another agent
 *   holds it
 */
export function takeStateDirectory(path: string): StateDirectory {
  const directory = makePrivateFolder(path, '--state')
  closeToOthers(directory)
  const lock = takeLock(directory)
  const workDirectory = join(directory, 'work')
  const journalDirectory = join(directory, 'journal')
  const snapshotDirectory = join(directory, 'snapshots')
  const keptDirectory = join(directory, 'kept')
  const restoreDirectory = join(directory, 'restores')
  rmSync(workDirectory, { recursive: true, force: true })
  for (const inner of [workDirectory, journalDirectory, snapshotDirectory, keptDirectory, restoreDirectory]) {
    mkdirSync(inner, { recursive: true, mode: 0o700 })
  }
  return {
    credentialFile: join(directory, 'credential.json'),
    ownKeyFile: join(directory, 'end-to-end.json'),
    journalDirectory,
    workDirectory,
    snapshotDirectory,
    keptDirectory,
    restoreDirectory,
    restoredFile: join(directory, 'restored.json'),
    release: () => lock.close(),
  }
}

/**
 * Whoever owns the directory, or a link that leads to it, decides where the agent writes, with the agent's rights: so both have to be
 * this user's own, or root's link.
 */
function closeToOthers(directory: string): void {
  const own = process.getuid?.()
  if (own === undefined) return
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const foreign = [fstatSync(descriptor).uid, lstatSync(directory).uid].find((uid, index) =>
      index === 0 ? uid !== own : uid !== own && uid !== 0,
    )
    if (foreign !== undefined) {
      const remedy = 'name another one with --state, or give it to the user that the agent runs as'
      throw new Error(`${directory} belongs to another user (${foreign}); ${remedy}`)
    }
    fchmodSync(descriptor, 0o700)
  } finally {
    closeSync(descriptor)
  }
}

function takeLock(directory: string): DatabaseSync {
  const lock = openLock(directory)
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)) throw error
    throw new Error(`another agent uses ${directory}; stop it first, or name another directory with --state`)
  }
}

function openLock(folder: string): DatabaseSync {
  const place = join(folder, 'agent.lock')
  try {
    // SQLite says of every file that it cannot open the same.
    closeSync(openSync(place, 'a', 0o600))
  } catch (error) {
    throw folderFailureOf(error, { folder, named: '--state', place })
  }
  return new DatabaseSync(place)
}
