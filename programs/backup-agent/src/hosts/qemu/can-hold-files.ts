import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode } from '../../failure.ts'

/** Whether files can be made in a folder, or in it once it and its parents are made; nothing is made. */
export async function canHoldFiles(path: string): Promise<boolean> {
  try {
    if (!(await stat(path)).isDirectory()) return false
    await access(path, constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    const parent = dirname(path)
    return systemCode(error) === 'ENOENT' && parent !== path && (await canHoldFiles(parent))
  }
}
