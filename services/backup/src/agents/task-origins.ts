import { currentOrigin, type WorkOrigin, withRequestId } from '@palisade/platform'

/** More tasks than are ever unfinished; of the oldest it is then no longer known what they come of. */
const originsMax = 10_000

/** The requests that unfinished tasks come of, as long as this process lives: agents are told of them whenever they are told of a task. */
export class TaskOrigins {
  readonly #origins = new Map<string, WorkOrigin>()

  /** What a task comes of: the request that is worked on, where that begins it. */
  of(taskId: string): WorkOrigin | undefined {
    const before = this.#origins.get(taskId)
    if (before !== undefined) return before
    const origin = currentOrigin()
    if (origin === undefined) return undefined
    const [oldest] = this.#origins.keys()
    if (oldest !== undefined && this.#origins.size >= originsMax) this.#origins.delete(oldest)
    this.#origins.set(taskId, origin)
    return origin
  }

  /** Does work for a task as a part of the request that it comes of. */
  within<Result>(taskId: string, work: () => Result): Result {
    const origin = this.#origins.get(taskId)
    return origin === undefined ? work() : withRequestId(origin.requestId, work)
  }

  forget(taskId: string): void {
    this.#origins.delete(taskId)
  }
}
