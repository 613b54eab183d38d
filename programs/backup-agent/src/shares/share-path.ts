import { destinationFailures, TaskFailure } from '../failure.ts'

/** A folder on a share of the network. */
export interface SharePath {
  readonly host: string
  readonly share: string
  /** From the share down; none for the share itself. */
  readonly folders: readonly string[]
}

/** Whether a path means a share of the network, rightly spelled or not. */
export function isSharePath(path: string): boolean {
  return /^(?:\\\\|\/\/|smb:)/i.test(path)
}

/**
 * Reads the path of a folder on a share, in any of the spellings that the service takes:
 *
 *     \\server\share\folder    //server/share/folder    smb://server/share/folder
 *
 * @throws TaskFailure BackupSetActions_NetworkPathNotFound when it leads nowhere: no share, or names that none can have
 */
export function parseSharePath(path: string): SharePath {
  const [host = '', share = '', ...rest] = path.replace(/^(?:smb:)?[\\/]{2}/i, '').split(/[\\/]/)
  const folders: string[] = []
  for (const name of rest) {
    if (name === '' || name === '.') continue
    if (name !== '..') folders.push(name)
    else if (folders.pop() === undefined) throw notFound(path)
  }
  if (![host, share, ...folders].every(isName) || host === '.' || host === '?') throw notFound(path)
  return { host, share, folders }
}

/** The path of a folder, or of a file in it, as Windows spells it. */
export function uncOf({ host, share, folders }: SharePath, fileName?: string): string {
  const names = fileName === undefined ? folders : [...folders, fileName]
  return `\\\\${[host, share, ...names].join('\\')}`
}

/** Whether a folder, file, share or server may be called so; Windows takes none of the others. */
function isName(name: string): boolean {
  return name !== '' && !/[\p{Cc}\\/:*?"<>|]/u.test(name) && name.isWellFormed()
}

function notFound(path: string): TaskFailure {
  return new TaskFailure(
    destinationFailures.networkPathNotFound,
    `${JSON.stringify(path)} is not the path of a folder on a share`,
  )
}
