import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { VaultFailure } from '../failure.ts'
import type { StorageLock } from './backend.ts'

/**
 * Locks a directory against other processes, and against a second opening in this one.
 *
 * Node offers no file locks, but SQLite does: the lock is an exclusive transaction on an empty database file. The
 * operating system ends it with the process, however that ends, so no lock can be stale: no process ids to compare,
 * no leases to expire, and it holds between containers that share the directory but not their process ids.
 */
export async function lockDirectory(root: string): Promise<StorageLock> {
  const database = new DatabaseSync(join(root, '.lock'))
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    const message = `${root} is in use by another process, or cannot be locked`
    throw new VaultFailure('locked', message, { cause })
  }
  return {
    release: async () => {
      if (database.isOpen) database.close()
    },
  }
}
