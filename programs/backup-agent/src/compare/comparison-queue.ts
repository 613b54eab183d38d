import type { DiskComparison } from '@palisade/agent-protocol'
import { Mutex } from '../tasks/mutex.ts'
import { type ComparisonContext, type ComparisonRequest, compareDisk } from './compare-disk.ts'

/** More than an operator waits for. */
const waitingMax = 8

/**
 * Compares one disk at a time: a disk whose file system does not answer holds one thread of the agent and not all of them, until
 * the system gives up.
 */
export class ComparisonQueue {
  readonly #mutex = new Mutex()
  #waiting = 0

  /** Resolves with a failure where there can be no comparison. Rejects only with the signal's reason, before it has begun. */
  async compare(request: ComparisonRequest, context: ComparisonContext): Promise<DiskComparison> {
    if (this.#waiting >= waitingMax) return { failure: `${waitingMax} other disks wait to be compared` }
    this.#waiting++
    const release = await this.#mutex.acquire(context.signal).finally(() => {
      this.#waiting--
    })
    const { comparison, closed } = await compareDisk(request, context)
    closed.finally(release)
    return comparison
  }
}
