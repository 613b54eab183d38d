import { lstat, mkdir, rmdir } from 'node:fs/promises'
import { systemCode } from '@palisade/private-files'

/** Beside an image: what the agent keeps there is nobody else's. */
export const privateFolderName = '.palisade-agent'

/**
 * Makes a folder that only this user can look into.
 *
 * @throws Error when there is something else in its place, or the system's error
 */
export async function makePrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
  const stats = await lstat(path)
  const isPrivate = stats.isDirectory() && (stats.mode & 0o077) === 0 && stats.uid === process.getuid?.()
  if (!isPrivate) throw new Error(`${path} is not a folder of this user alone`)
}

/** Removes a folder that holds nothing any more. */
export async function removeIfEmpty(path: string): Promise<void> {
  try {
    await rmdir(path)
  } catch (error) {
    const code = systemCode(error)
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error
  }
}
