import { closeSync, fchmodSync, fstatSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Opens an SQLite database, making it with mode 0600 where there is none, and giving it that where it has another. SQLite itself would let everybody read it who
 * may enter its directory; what it puts beside the file has the file's mode.
 */
export function openPrivateDatabase(file: string): DatabaseSync {
  const fd = openSync(file, 'a', 0o600)
  // A copy that was put back often has the mode that other files have.
  if ((fstatSync(fd).mode & 0o077) !== 0) fchmodSync(fd, 0o600)
  closeSync(fd)
  return new DatabaseSync(file)
}
