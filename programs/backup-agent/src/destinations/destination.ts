import type { PlannedDisk } from '../disk-layout/planned-disk.ts'
import type { RestoreKeys } from '../end-to-end/task-keys.ts'
import { isSharePath, parseSharePath } from '../shares/share-path.ts'
import type { ShareCredentials, ShareSettings } from '../shares/share-settings.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import type { AllowedDestinations } from './allowed-destinations.ts'
import { LocalFolder } from './local-folder.ts'
import { MountedShare } from './mounted-share.ts'
import { SmbFolder } from './smb-folder.ts'

/** What the disks of one restore are written from. */
export interface DiskWork {
  readonly restoreId: string
  readonly disks: readonly PlannedDisk[]
  readonly keys: RestoreKeys
}

/**
 * Where finished disks go. A disk lies under a partial name, next to where it will be, until it is complete and
 * verified. Implementations reject with a TaskFailure whose code says what the trouble with the destination is.
 * All methods may be called again after a crash.
 */
export interface Destination {
  /** Absolute. */
  readonly folder: string
  /** What the workers do with what they fetch: write it to its place, or hand it to a stream. */
  readonly workOfThreads: 'write' | 'stream'
  /** What a restart needs, beside the folder, to get at it again: sealed, for the journal. */
  readonly sealedCredentials?: string
  /** Makes sure that the folder is there, with all its parents. */
  prepare(): Promise<void>
  /**
   * Tries whether files can be written there: makes an empty one, and removes it when `use` is done with it. The folder
   * has to be there.
   *
   * @param use is given the path of the file, absolute
   */
  probe<Result>(use: (path: string) => Promise<Result>): Promise<Result>
  /** How many bytes this agent may still write there. */
  freeBytes(): Promise<number>
  /** The absolute path of a file of this name in the folder. */
  pathOf(fileName: string): string
  /** Where disks lie until they are finished, one path for each base name. */
  partialPaths(restoreId: string, baseNames: readonly string[]): readonly string[]
  /**
   * Writes all disks under their partial names, instead of files that an earlier run left, and verifies them: when
   * this resolves each is complete, durable as far as the destination goes, and reads back as it was backed up.
   */
  write(work: DiskWork, context: TaskContext): Promise<void>
  /** Removes a partial file; none being there is fine. */
  removePartial(partialPath: string): Promise<void>
  /**
   * Gives a partial file its name, durably, unless the name is taken: what is there is never replaced.
   *
   * @param wasAttempted an earlier run may have given this name already, and ended before it could say so
   * @returns whether the file has the name now
   */
  giveName(partialPath: string, finalPath: string, wasAttempted: boolean): Promise<boolean>
}

/**
 * The destination with this path. On Windows the system itself knows shares; elsewhere Samba's client does.
 *
 * @param allowed where the owner of the computer lets restores write to; undefined for what this agent itself has begun, by its journal
 * @throws TaskFailure for paths that are not absolute on this computer or not allowed, and for those of shares that lead nowhere
 */
export function destinationAt(
  { path, credentials }: { readonly path: string; readonly credentials?: ShareCredentials | undefined },
  settings: ShareSettings,
  allowed: AllowedDestinations | undefined,
): Destination {
  if (!isSharePath(path)) return new LocalFolder(path, { allowed })
  const sharePath = parseSharePath(path)
  allowed?.require(path)
  return settings.platform === 'win32'
    ? new MountedShare(sharePath, credentials)
    : new SmbFolder(sharePath, credentials, settings)
}
