import { taskFailures } from '@palisade/agent-protocol/wire'
import { Backoff, retry } from '../backoff.ts'
import { TaskFailure } from '../failure.ts'
import { HostFailure, type HostProblemCode } from '../hosts/failure.ts'
import type { RetryPolicy } from '../server/retry-request.ts'

/** What may pass by itself; see the contract of `HostDriver`. */
const passing: ReadonlySet<HostProblemCode> = new Set(['host-unreachable', 'timed-out'])

/**
 * Asks a host for something until it is done, with growing delays, as long as what it fails with may pass.
 *
 * @param options.signal ends the waiting; left out for what has to be done in any case
 * @throws TaskFailure HostFailed
 * @throws the signal's reason
 */
export async function retryOnHost<Result>(
  attempt: () => Promise<Result>,
  {
    retryPolicy,
    signal = new AbortController().signal,
  }: { readonly retryPolicy: RetryPolicy; readonly signal?: AbortSignal },
): Promise<Result> {
  return retry(attempt, {
    signal,
    pauses: new Backoff(retryPolicy),
    failure(error, spentMs) {
      if (!(error instanceof HostFailure)) return error
      const mayPass = passing.has(error.problem.code) && spentMs <= retryPolicy.giveUpAfterMs
      return mayPass ? undefined : hostFailed(error)
    },
  })
}

/** What a host said, as a failure of a restore. */
export function hostFailed(error: HostFailure): TaskFailure {
  return new TaskFailure(taskFailures.hostFailed, error.message, { cause: error })
}
