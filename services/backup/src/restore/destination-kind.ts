import { pathLengthMax } from '../given-source.ts'

/**
 * What a destination path is: on a disk of the computer, on a share in its network, or neither.
 *
 *     local    C:\folder  C:/folder  /folder
 *     remote   \\server\share\folder  //server/share/folder  smb://server/share/folder
 *
 * Relative paths are neither, and so are Windows' device paths (`\\?\…`, `\\.\…`) and texts that no path can be.
 */
export function destinationKind(path: string): 'local' | 'remote' | undefined {
  if (path.length > pathLengthMax || /\p{Cc}/u.test(path) || !path.isWellFormed()) return undefined
  if (/^[a-z]:[\\/]/i.test(path)) return 'local'
  if (/^(?:\\\\|\/\/|smb:\/\/)(?![?.][\\/])[^\\/:*?"<>|]+[\\/][^\\/:*?"<>|]+(?:[\\/]|$)/i.test(path))
    return 'remote'
  if (/^\/(?!\/)/.test(path)) return 'local'
  return undefined
}
