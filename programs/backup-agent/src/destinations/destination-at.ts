import { isSharePath, parseSharePath } from '../shares/share-path.ts'
import type { ShareSettings } from '../shares/share-settings.ts'
import type { Credentials } from '../state/credentials-seal.ts'
import type { AllowedDestinations } from './allowed-destinations.ts'
import { LocalFolder } from './local-folder.ts'
import { MountedShare } from './mounted-share.ts'
import { SmbFolder } from './smb-folder.ts'

/**
 * The destination with this path. On Windows the system itself knows shares; elsewhere Samba's client does.
 *
 * @param allowed where the owner of the computer lets restores write to; undefined for what this agent itself has begun, by its journal
 * @throws TaskFailure for paths that are not absolute on this computer or not allowed, and for those of shares that lead nowhere
 */
export function destinationAt(
  { path, credentials }: { readonly path: string; readonly credentials?: Credentials | undefined },
  settings: ShareSettings,
  allowed: AllowedDestinations | undefined,
): LocalFolder | SmbFolder {
  if (!isSharePath(path)) return new LocalFolder(path, { allowed })
  const sharePath = parseSharePath(path)
  allowed?.require(path)
  return settings.platform === 'win32'
    ? new MountedShare(sharePath, credentials)
    : new SmbFolder(sharePath, credentials, settings)
}
