import { taskFailures } from '@palisade/agent-protocol/wire'
import { describe, destinationFailures, systemCode, TaskFailure } from '../failure.ts'

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
