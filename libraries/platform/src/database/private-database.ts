import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Opens an SQLite database, making it with mode 0600 where there is none. SQLite itself would let everybody read it who
 * may enter its directory; what it puts beside the file has the file's mode.
 */
export function openPrivateDatabase(file: string): DatabaseSync {
  closeSync(openSync(file, 'a', 0o600))
  return new DatabaseSync(file)
}
