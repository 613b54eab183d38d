/**
 * Waits until all are done and then rejects with the first failure, if any. Unlike `Promise.all` it leaves
 * nothing underway that could still write into a buffer the caller uses again.
 */
export async function settleAll(promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === 'rejected') throw result.reason
  }
}
