import { isAbsolute, resolve } from 'node:path'
import { isAllowedDestination } from '@palisade/agent-protocol/wire'
import { destinationFailures, TaskFailure } from '../failure.ts'
import { isSharePath, parseSharePath, uncOf } from '../shares/share-path.ts'
import { isWithin } from '../system-calls/open-folder.ts'

/** Files here are orders to the system, or no files at all: an owner who names a folder above does not mean them. */
const systemFolders = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/proc',
  '/sbin',
  '/sys',
  '/usr',
]

/** Where the owner of this computer lets restores write to: folders and shares, with all that is below them. */
export class AllowedDestinations {
  /** Local ones are absolute and without `.` and `..`. */
  readonly names: readonly string[]

  /** @throws Error with one sentence for the owner when one of the names is none of a folder or share */
  constructor(names: readonly string[]) {
    this.names = names.map(requireName)
  }

  /** The local folders. */
  get folders(): readonly string[] {
    return this.names.filter((name) => !isSharePath(name))
  }

  /** @throws TaskFailure CreateFolderFailed when the path is not below any of them by its name */
  require(path: string): void {
    if (!isAllowedDestination(path, this.names)) throw this.refusal(path)
  }

  /** Why nothing is written to a path, and what there is to be done about it. */
  refusal(path: string): TaskFailure {
    return new TaskFailure(
      destinationFailures.createFolderFailed,
      `restores may only go to ${this.names.join(', ')} or below; the owner of this computer allows more by starting its agent ` +
        `with --restore-to (asked for: ${path})`,
    )
  }
}

function requireName(name: string): string {
  if (isSharePath(name)) return uncOf(parseSharePath(name)).replaceAll('\\', '/')
  const folder = resolve(name)
  if (!isAbsolute(name) || (process.platform !== 'win32' && folder !== name.replace(/(?<=.)\/$/, '')))
    throw new Error(
      `--restore-to must be an absolute path without "." and "..", or //server/share, not ${name}`,
    )
  if (folder === '/' || isOfSystem(folder))
    throw new Error(`--restore-to must be a folder for disks and none of the system's, not ${name}`)
  return folder
}

/** Whether a folder is one of the system's own; its path is without links. */
export function isOfSystem(path: string): boolean {
  return systemFolders.some((folder) => isWithin(path, folder))
}
