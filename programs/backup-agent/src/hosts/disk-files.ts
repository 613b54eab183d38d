import { constants } from 'node:fs'
import { access, rm, stat } from 'node:fs/promises'
import { systemCode } from '@palisade/private-files'
import { HostFailure } from './failure.ts'
import type { MachineDisk } from './machine.ts'

/**
 * Makes sure that disks are there and that this process may read and write them; for hosts on this machine.
 *
 * @throws HostFailure `disk-unusable`
 */
export async function checkDisksUsable(disks: readonly MachineDisk[]): Promise<void> {
  for (const { path } of disks) {
    try {
      await access(path, constants.R_OK | constants.W_OK)
      const entry = await stat(path)
      if (!entry.isFile() && !entry.isBlockDevice())
        throw new Error('it is neither a file nor a block device')
    } catch (cause) {
      const problem = { code: 'disk-unusable', path } as const
      throw new HostFailure(problem, `the host cannot read and write ${path}`, { cause })
    }
  }
}

/** Removes the files among the disks; what is gone already is fine, and block devices stay. */
export async function removeDiskFiles(disks: readonly MachineDisk[]): Promise<void> {
  for (const { path } of disks) {
    if (await isFile(path)) await rm(path, { force: true })
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}
