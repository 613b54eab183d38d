import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { folderFailureOf, makePrivateFolder } from '@palisade/start-up'
import { openPrivateDatabase } from './database/private-database.ts'

const sqliteBusy = 5

/** A lock that is collected as garbage is given back, so that locks stay here whatever becomes of the function that ends them. */
const heldLocks = new Set<DatabaseSync>()

/**
 * Makes the data directory (mode 0700) and takes it for this process. The lock is SQLite's own file lock on
 * `palisade.lock`, which the system releases however the process ends, so there are no stale locks.
 *
 * @returns gives the directory back
 * @throws Error in one sentence when it cannot be made or written to, others may write in it, or another process holds it
 */
export function takeDataDirectory(directory: string): () => void {
  const folder = makePrivateFolder(directory, 'dataDirectory')
  const lock = openLock(folder, join(folder, 'palisade.lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)) throw error
    throw new Error(
      `the data directory ${directory} is in use by another Palisade server: stop that one first, or give this one its own with --data-directory`,
    )
  }
  heldLocks.add(lock)
  return () => {
    heldLocks.delete(lock)
    lock.close()
  }
}

function openLock(folder: string, place: string): DatabaseSync {
  try {
    return openPrivateDatabase(place)
  } catch (error) {
    throw folderFailureOf(error, { folder, named: 'dataDirectory', place })
  }
}
