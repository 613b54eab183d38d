/** Requests of proxies that are held until there is something to answer. */
export class WaitingRequests {
  readonly #waiting = new Set<() => void>()

  /** Resolves at the next {@link WaitingRequests.wake}, or when the signal is aborted. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}
