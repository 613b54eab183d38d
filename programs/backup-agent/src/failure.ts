import { taskFailures } from '@palisade/agent-protocol/wire'
import { systemCode } from '@palisade/private-files'
import { describe } from '@palisade/start-up'

/** Codes of the specification's destination table that this agent reports. */
export const destinationFailures = {
  /** The folder cannot be made or written to: read-only, permissions, or any other trouble with it. */
  createFolderFailed: 'CreateFolderFailed',
  /** The server of a share cannot be reached. */
  networkShareInaccessible: 'BackupSetActions_NetworkShareInaccessible',
  /** The server is there; the share, or the folder on it, is not. */
  networkPathNotFound: 'BackupSetActions_NetworkPathNotFound',
  /** The server does not let this user in with this password, or nobody without one. */
  networkShareInvalidAuth: 'BackupSetActions_NetworkShareInvalidAuth',
  /** The user is let in and may not write. */
  networkShareNoWritePermissions: 'BackupSetActions_NetworkShareNoWritePermissions',
} as const

const failureCodes = { ...taskFailures, ...destinationFailures }

/** Every code that an outcome of this agent can have. */
export type FailureCode = (typeof failureCodes)[keyof typeof failureCodes]

/** A task cannot be done. The message goes to the operator: one sentence, no secrets. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** What was thrown as a failure of the task; what nobody foresaw is an internal one. */
export function asTaskFailure(error: unknown): TaskFailure {
  if (error instanceof TaskFailure) return error
  return new TaskFailure(taskFailures.internal, `the agent failed: ${describe(error)}`, { cause: error })
}

/** There is no room, or the file system cannot hold a file this large. */
const spaceCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What the system said about a file or folder of the destination, as a failure of the restore. */
export function asDestinationFailure(error: unknown, path: string): TaskFailure {
  if (error instanceof TaskFailure) return error
  const code = systemCode(error)
  if (code !== undefined && spaceCodes.has(code)) {
    return new TaskFailure(taskFailures.notEnoughSpace, `there is not enough space for ${path}`, {
      cause: error,
    })
  }
  const isOfTheSystem = code !== undefined && /^E[A-Z0-9]+$/.test(code)
  return new TaskFailure(
    isOfTheSystem ? destinationFailures.createFolderFailed : taskFailures.internal,
    `${path} cannot be written: ${describe(error)}`,
    { cause: error },
  )
}
