import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../programs/calls.ts'

/** A file system on which files can share blocks. */
export interface SharingVolume {
  /** Where it is mounted. */
  readonly folder: string
  /** Unmounts it, once whoever was stopped lately has let go of its files. */
  remove(): Promise<void>
}

/**
 * Makes an XFS in a file and mounts it.
 *
 * @param home an empty folder for both
 * @returns or why this machine does not let one, which takes root and loop devices
 */
export function makeSharingVolume(home: string, sizeBytes: number): SharingVolume | { readonly why: string } {
  const disk = join(home, 'xfs')
  const folder = join(home, 'mounted')
  mkdirSync(folder, { recursive: true })
  const file = openSync(disk, 'w')
  ftruncateSync(file, sizeBytes)
  closeSync(file)
  try {
    run('mkfs.xfs', '-q', '-m', 'reflink=1', disk)
    run('mount', '-o', 'loop', disk, folder)
  } catch (error) {
    return { why: `no XFS can be made and mounted here: ${error instanceof Error ? error.message : error}` }
  }
  return { folder, remove: () => unmount(folder) }
}

async function unmount(folder: string): Promise<void> {
  await eventually(`unmounting ${folder}`, async () => {
    try {
      run('umount', folder)
      return true
    } catch (error) {
      if (error instanceof Error && /busy/.test(error.message)) return undefined
      throw error
    }
  })
}

function run(program: string, ...parameters: readonly string[]): void {
  const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C' }
  execFileSync(program, parameters, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
}
