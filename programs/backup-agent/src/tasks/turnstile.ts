/** Lets one task through at a time, in the order in which they came. */
export class Turnstile {
  #last: Promise<void> = Promise.resolve()

  /**
   * Waits for its turn and takes it. Rejects with the signal's reason when that comes first; the next in line
   * then moves up.
   *
   * @returns ends the turn
   */
  async enter(signal: AbortSignal): Promise<() => void> {
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
