/** A lock that is given out in the order in which it was asked for. */
export class Mutex {
  #last: Promise<void> = Promise.resolve()

  /**
   * Waits for the lock and takes it. Rejects with the signal's reason when that comes first; the next in line then moves up.
   *
   * @returns releases it
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    const before = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = before.then(() => turn.promise)
    const aborted = Promise.withResolvers<never>()
    const abort = () => aborted.reject(signal.reason)
    signal.addEventListener('abort', abort)
    try {
      signal.throwIfAborted()
      await Promise.race([before, aborted.promise])
      return turn.resolve
    } catch (error) {
      turn.resolve()
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}
