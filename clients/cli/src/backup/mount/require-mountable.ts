import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { exitStatus, UsageError } from '../../exit-status.ts'
import { searchPath } from './run.ts'

/** The programs that mounting needs, and Debian's package of each. */
const programs: Readonly<Record<string, string>> = {
  'qemu-storage-daemon': 'qemu-system-common in Debian 12',
  'qemu-img': 'qemu-utils',
  losetup: 'mount',
  mount: 'mount',
  blkid: 'util-linux',
}

/**
 * Checks that this process can mount revisions in a folder.
 *
 * @throws UsageError that says what is missing, before anything is asked for
 */
export function requireMountable(target: string): void {
  if (process.platform !== 'linux')
    throw new UsageError('Only Linux mounts revisions; elsewhere there is --nbd.')
  if (process.getuid?.() !== 0)
    throw new UsageError(
      'Only root can mount: run the command with sudo, or give --nbd.',
      exitStatus.notAllowed,
    )
  const missing = Object.entries(programs).filter(([name]) => !isProgram(name))
  if (missing.length > 0) {
    const list = missing.map(([name, packages]) => `${name} (package ${packages})`).join(', ')
    throw new UsageError(`These programs are missing: ${list}. Install them, or give --nbd.`)
  }
  const devices = ['/dev/fuse', '/dev/loop-control'].filter((device) => !existsSync(device))
  if (devices.length > 0) {
    throw new UsageError(
      `This machine has no ${devices.join(' and no ')}: load the modules fuse and loop with modprobe, or, in a container, give --nbd.`,
    )
  }
  if (!existsSync(target)) return
  const facts = statSync(target)
  if (!facts.isDirectory()) throw new UsageError(`${target} is no folder.`)
  if (facts.uid !== 0)
    throw new UsageError(`${target} belongs to another user (${facts.uid}), who could replace what is in it.`)
  if (readdirSync(target).length > 0)
    throw new UsageError(`${target} is not empty: name an empty folder, or one that is not there yet.`)
}

function isProgram(name: string): boolean {
  return searchPath.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
