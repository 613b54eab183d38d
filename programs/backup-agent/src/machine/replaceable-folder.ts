import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode } from '@palisade/private-files'
import { destinationFailures, TaskFailure } from '../failure.ts'
import { withoutLinks } from '../system-calls/open-folder.ts'

const writableByOthers = 0o022
/** Only the owner of a file may rename it there, as in /tmp. */
const sticky = 0o1000

/**
 * Why somebody else could put another file in the place of one in this folder. A hypervisor opens the disks of a machine by their
 * paths, with its own rights, each time the machine starts: so its disks may lie only where none but root and this user can do that.
 *
 * @param path absolute; folders that are missing are made by this user
 * @returns undefined when nobody can
 */
export async function whyReplaceable(path: string): Promise<string | undefined> {
  const own = process.getuid?.()
  if (own === undefined) return undefined
  for (let folder = await withoutLinks(path); ; folder = dirname(folder)) {
    const stats = await lstat(folder).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined
      throw error
    })
    if (stats !== undefined && stats.uid !== 0 && stats.uid !== own)
      return `${folder} belongs to another user (${stats.uid})`
    if (stats !== undefined && (stats.mode & writableByOthers) !== 0 && (stats.mode & sticky) === 0)
      return `others than its owner may write in ${folder}`
    if (dirname(folder) === folder) return undefined
  }
}

/** @param why see {@link whyReplaceable} */
export function replaceable(why: string): TaskFailure {
  return new TaskFailure(
    destinationFailures.createFolderFailed,
    `the disks of a machine need a folder in which nobody but root and the agent's user can replace files: ${why}`,
  )
}
