import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux has a file system in memory that everybody may use. */
const memory = '/dev/shm'

/** With less room, as containers have it by default, one test could fill it for the others. */
const roomMinBytes = 2 ** 30

/**
 * A new folder for a database that only has to outlive processes: in memory where that has room. Making durable what
 * nobody needs is otherwise most of the time of tests that write.
 */
export function memoryDirectory(prefix: string): string {
  return mkdtempSync(join(hasRoom() ? memory : tmpdir(), prefix))
}

function hasRoom(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= roomMinBytes
}
