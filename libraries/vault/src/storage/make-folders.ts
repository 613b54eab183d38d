import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode } from '@palisade/private-files'

/**
 * Makes a folder for its owner only, and those above it that are missing. It fails with the system's own reason, such as EROFS, for which
 * `mkdir` with `recursive` says ENOENT.
 */
export async function makeFolders(path: string): Promise<void> {
  try {
    await makeFolder(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolders(dirname(path))
    await makeFolder(path)
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}
