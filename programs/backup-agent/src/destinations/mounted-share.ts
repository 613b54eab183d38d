import { destinationFailures, type FailureCode, systemCode, TaskFailure } from '../failure.ts'
import { type SharePath, uncOf } from '../shares/share-path.ts'
import type { ShareCredentials } from '../shares/share-settings.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import type { DiskWork } from './destination.ts'
import { LocalFolder } from './local-folder.ts'

const codes: Readonly<Record<string, FailureCode>> = {
  ENOENT: destinationFailures.networkPathNotFound,
  ENOTDIR: destinationFailures.networkPathNotFound,
  EACCES: destinationFailures.networkShareNoWritePermissions,
  EPERM: destinationFailures.networkShareNoWritePermissions,
  EROFS: destinationFailures.networkShareNoWritePermissions,
  ENETUNREACH: destinationFailures.networkShareInaccessible,
  EHOSTUNREACH: destinationFailures.networkShareInaccessible,
  ECONNRESET: destinationFailures.networkShareInaccessible,
  ETIMEDOUT: destinationFailures.networkShareInaccessible,
  UNKNOWN: destinationFailures.networkShareInaccessible,
}

/**
 * A folder on a share that the system itself gets at, as Windows does: a folder like any other, under a path that
 * begins with `\\`, as the user that the agent runs as. Written for Windows and never run there.
 */
export class MountedShare extends LocalFolder {
  /** @throws TaskFailure BackupSetActions_NetworkShareInvalidAuth when another user is to be logged on */
  constructor(path: SharePath, credentials: ShareCredentials | undefined) {
    if (credentials !== undefined) {
      throw new TaskFailure(
        destinationFailures.networkShareInvalidAuth,
        `${uncOf(path)}: on this system the agent writes to shares as its own user; give that user access and no credentials`,
      )
    }
    super(uncOf(path))
  }

  override prepare(): Promise<void> {
    return inWordsOfShares(() => super.prepare())
  }

  override probe<Result>(use: (path: string) => Promise<Result>): Promise<Result> {
    return inWordsOfShares(() => super.probe(use))
  }

  override freeBytes(): Promise<number> {
    return inWordsOfShares(() => super.freeBytes())
  }

  override write(work: DiskWork, context: TaskContext): Promise<void> {
    return inWordsOfShares(() => super.write(work, context))
  }

  override removePartial(partialPath: string): Promise<void> {
    return inWordsOfShares(() => super.removePartial(partialPath))
  }

  override giveName(partialPath: string, finalPath: string, wasAttempted: boolean): Promise<boolean> {
    return inWordsOfShares(() => super.giveName(partialPath, finalPath, wasAttempted))
  }
}

/** What the system said about a share has codes of its own in the specification. */
async function inWordsOfShares<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof TaskFailure) || error.code !== destinationFailures.createFolderFailed) throw error
    throw new TaskFailure(codes[systemCode(error.cause) ?? ''] ?? error.code, error.message, { cause: error })
  }
}
