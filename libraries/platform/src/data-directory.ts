import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { refuseOpenFolder } from '@palisade/private-files'
import { openPrivateDatabase } from './database/private-database.ts'

const sqliteBusy = 5

/**
 * Makes the data directory (mode 0700) and takes it for this process. The lock is SQLite's own file lock on
 * `palisade.lock`, which the system releases however the process ends, so there are no stale locks.
 *
 * @returns gives the directory back
 * @throws OpenToOthers when others may write in it, Error when another process holds it
 */
export function takeDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  refuseOpenFolder(directory)
  const lock = openPrivateDatabase(join(directory, 'palisade.lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)) throw error
    throw new Error(
      `The data directory ${directory} is in use by another Palisade server. Stop that one first, or give this one its own dataDirectory.`,
      { cause: error },
    )
  }
  return () => lock.close()
}
