import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Who may read a file with a secret: its owner alone, or its group too, which whoever brought the file has chosen. */
export type PermittedReaders = 'owner' | 'group-reads'

/** A file or folder is open to others than it should be. The message says what to do, and nothing of what is in it. */
export class OpenToOthers extends Error {
  override readonly name = 'OpenToOthers'
}

/** Bits of a mode (POSIX) that must not be set, and the mode to have instead. */
const rules = {
  owner: { forbidden: 0o077, who: 'others than its owner', mode: '600' },
  'group-reads': { forbidden: 0o037, who: 'others than its owner and its group', mode: '640' },
} as const

const writableByOthers = 0o002
const sticky = 0o1000
const hasModes = process.platform !== 'win32'

/**
 * Refuses a file with a secret by its mode.
 *
 * @param mode of the open file, as `fstat` tells it
 * @throws OpenToOthers
 */
export function refuseOpenMode(path: string, mode: number, readers: PermittedReaders): void {
  const { forbidden, who, mode: remedy } = rules[readers]
  if (!hasModes || (mode & forbidden) === 0) return
  throw new OpenToOthers(
    `${path} is open to ${who}; use chmod ${remedy} ${path}, and take what is in it for known to who may have read it`,
  )
}

/** @throws OpenToOthers when others may write a file by its mode */
export function refuseWritableMode(path: string, mode: number): void {
  if (!hasModes || (mode & writableByOthers) === 0) return
  throw new OpenToOthers(
    `${path} may be written by every user of this machine; look what is in it, then use chmod o-w ${path}`,
  )
}

/**
 * Refuses a folder of ours to which others may add.
 *
 * @throws OpenToOthers, or the system's error when there is no such folder
 */
export function refuseOpenFolder(path: string): void {
  if (hasModes) refuseWritableFolder(path, statSync(path).mode, false)
}

/**
 * Refuses a file that others may put another one in the place of: at its path, and where a link there leads.
 *
 * @throws OpenToOthers, or the system's error when there is no such file
 */
export function refuseReplaceable(path: string): void {
  if (!hasModes) return
  for (const folder of new Set([dirname(path), dirname(realpathSync(path))])) {
    refuseWritableFolder(folder, statSync(folder).mode, true)
  }
}

/** @param mayBeSticky in a sticky folder files are safe from others that are there by now */
function refuseWritableFolder(path: string, mode: number, mayBeSticky: boolean): void {
  if ((mode & writableByOthers) === 0 || (mayBeSticky && (mode & sticky) !== 0)) return
  throw new OpenToOthers(
    `the folder ${path} may be written by every user of this machine, who could put other files in the place of those in it; ` +
      `look what is in it, then use chmod o-w ${path}`,
  )
}
