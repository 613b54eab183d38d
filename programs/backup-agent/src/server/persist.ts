import { taskFailures } from '@palisade/agent-protocol/wire'
import { type BackoffLimits, backoffLimits, repeat } from '../backoff.ts'
import { describe, TaskFailure } from '../failure.ts'
import { isTransient, RequestRefused } from './request-failure.ts'

/** How long a task goes on trying while the server cannot be reached. */
export interface Patience extends BackoffLimits {
  /** Counted from the first failure in a row. */
  readonly giveUpAfterMs: number
}

/** Ten minutes: a server is restarted or updated in less, and somebody waits for a restore. */
export const patience: Patience = { ...backoffLimits, giveUpAfterMs: 10 * 60_000 }

/**
 * Repeats a request until it succeeds, with growing delays, as long as its failures are of the passing kind.
 *
 * @throws TaskFailure ServerUnreachable when patience ends or the server refuses for good; what is neither, such
 *   as a failure of the task itself, passes through, and so do refusals whose status is in `meant`
 */
export async function persist<Result>(
  attempt: () => Promise<Result>,
  options: { readonly signal: AbortSignal; readonly patience: Patience; readonly meant?: readonly number[] },
): Promise<Result> {
  const { signal, patience, meant = [] } = options
  return repeat(attempt, {
    signal,
    limits: patience,
    failure(error, spentMs) {
      const isRefusal = error instanceof RequestRefused
      if (isRefusal && meant.includes(error.status)) return error
      if (!isTransient(error)) return isRefusal ? refusedForGood(error) : error
      return spentMs > patience.giveUpAfterMs ? outOfPatience(error) : undefined
    },
  })
}

function refusedForGood(error: RequestRefused): TaskFailure {
  return new TaskFailure(taskFailures.serverUnreachable, `the server refused: ${error.message}`, {
    cause: error,
  })
}

function outOfPatience(error: unknown): TaskFailure {
  return new TaskFailure(
    taskFailures.serverUnreachable,
    `the server could not be reached for too long: ${describe(error)}`,
    { cause: error },
  )
}
