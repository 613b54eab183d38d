import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { VaultFailure } from '../failure.ts'
import type { StorageLock } from './backend.ts'

/** SQLITE_BUSY, https://sqlite.org/rescode.html */
const sqliteBusy = 5

/**
 * Locks a directory against other processes, and against a second opening in this one.
 *
 * Node offers no file locks, but SQLite does: the lock is an exclusive transaction on an empty database file. The
 * operating system ends it with the process, however that ends, so no lock can be stale: no process ids to compare,
 * no leases to expire, and it holds between containers that share the directory but not their process ids.
 */
export async function lockDirectory(root: string): Promise<StorageLock> {
  const database = attempt(root, () => new DatabaseSync(join(root, '.lock')))
  try {
    attempt(root, () => database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE'))
  } catch (error) {
    database.close()
    throw error
  }
  return {
    release: async () => {
      if (database.isOpen) database.close()
    },
  }
}

function attempt<Result>(root: string, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof Error && Reflect.get(cause, 'errcode') === sqliteBusy) {
      throw new VaultFailure('locked', `${root} is in use by another process`, { cause })
    }
    throw new VaultFailure('storage', `locking ${root}: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}
