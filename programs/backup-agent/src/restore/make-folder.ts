import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode } from '../failure.ts'
import { syncDirectory } from '../state/write-durably.ts'

/**
 * Makes a folder with all its parents, durably; one that is there is fine. Node's own recursive `mkdir` tries
 * without end where a parent is there but takes no folders, as below /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdirDurably(path)
  } catch (error) {
    const parent = dirname(path)
    if (systemCode(error) !== 'ENOENT' || parent === path) throw error
    await makeFolder(parent)
    await mkdirDurably(path)
  }
}

async function mkdirDurably(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return
    throw error
  }
  // A new folder is durable when the one that holds it is.
  await syncDirectory(dirname(path))
}
