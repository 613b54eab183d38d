import { taskFailures } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import { type BackoffLimits, backoffLimits, retry } from '../backoff.ts'
import { TaskFailure } from '../failure.ts'
import { AddressRounds } from './address-rounds.ts'
import type { ServerAddresses } from './addresses.ts'
import { isOfCertificate, isTransient, RequestRefused } from './request-failure.ts'

/** How often and how long a request is repeated while the server cannot be reached. */
export interface RetryPolicy extends BackoffLimits {
  /** Counted from the first failure in a row. */
  readonly giveUpAfterMs: number
}

/** Ten minutes: a server is restarted or updated in less, and somebody waits for a restore. */
export const retryPolicy: RetryPolicy = { ...backoffLimits, giveUpAfterMs: 10 * 60_000 }

/**
 * Repeats a request until it succeeds, as long as its failures are of the passing kind: at once where there is another address, and
 * with growing delays after each round of them.
 *
 * @throws TaskFailure ServerUnreachable when the server cannot be reached for as long as `retryPolicy` says, or refuses for good; what is neither, such
 *   as a failure of the task itself, passes through, and so do refusals whose status is in `expectedStatuses`
 */
export async function retryRequest<Result>(
  attempt: () => Promise<Result>,
  options: {
    readonly signal: AbortSignal
    readonly retryPolicy: RetryPolicy
    readonly addresses: ServerAddresses
    readonly expectedStatuses?: readonly number[]
  },
): Promise<Result> {
  const { signal, retryPolicy, addresses, expectedStatuses = [] } = options
  const rounds = new AddressRounds(addresses, retryPolicy)
  return retry(attempt, {
    signal,
    pauses: rounds,
    failure(error, spentMs) {
      const isRefusal = error instanceof RequestRefused
      if (isRefusal && expectedStatuses.includes(error.status)) return error
      // One server may have let its certificate expire; the others need not.
      if (isOfCertificate(error) && !rounds.isOver) return undefined
      if (!isTransient(error)) return isRefusal ? refusedForGood(error) : error
      return spentMs > retryPolicy.giveUpAfterMs ? timedOut(error) : undefined
    },
  })
}

function refusedForGood(error: RequestRefused): TaskFailure {
  return new TaskFailure(taskFailures.serverUnreachable, `the server refused: ${error.message}`, {
    cause: error,
  })
}

function timedOut(error: unknown): TaskFailure {
  return new TaskFailure(
    taskFailures.serverUnreachable,
    `the server could not be reached for too long: ${describe(error)}`,
    { cause: error },
  )
}
