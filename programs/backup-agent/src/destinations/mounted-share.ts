import { systemCode } from '@palisade/private-files'
import { destinationFailures, type FailureCode, TaskFailure } from '../failure.ts'
import { type SharePath, uncOf } from '../shares/share-path.ts'
import type { Credentials } from '../state/credentials-seal.ts'
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
  constructor(path: SharePath, credentials: Credentials | undefined) {
    if (credentials !== undefined) {
      throw new TaskFailure(
        destinationFailures.networkShareInvalidAuth,
        `${uncOf(path)}: on this system the agent writes to shares as its own user; give that user access and no credentials`,
      )
    }
    super(uncOf(path))
  }

  /** What the system says about a share has codes of its own in the specification. */
  override failureOf(error: unknown, path: string): TaskFailure {
    const failure = super.failureOf(error, path)
    if (failure.code !== destinationFailures.createFolderFailed) return failure
    const code = codes[systemCode(failure.cause) ?? ''] ?? failure.code
    return new TaskFailure(code, failure.message, { cause: failure })
  }
}
