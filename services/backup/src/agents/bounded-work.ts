/**
 * Runs work side by side as long as what it holds in memory stays within bounds.
 */
export class BoundedWork {
  readonly #sizeMaxBytes: number
  readonly #running = new Set<Promise<void>>()
  #sizeBytes = 0
  #failure: { readonly error: unknown } | undefined

  constructor(sizeMaxBytes: number) {
    this.#sizeMaxBytes = sizeMaxBytes
  }

  /**
   * Begins the work, which holds `sizeBytes`, and waits until there is room for more.
   *
   * @throws what any work so far has failed with
   */
  async add(sizeBytes: number, work: () => Promise<void>): Promise<void> {
    this.#sizeBytes += sizeBytes
    const running = work()
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => {
        this.#sizeBytes -= sizeBytes
        this.#running.delete(running)
      })
    this.#running.add(running)
    while (this.#sizeBytes > this.#sizeMaxBytes) await Promise.race(this.#running)
    this.#throwFailure()
  }

  /** Waits until all of it is done. */
  async end(): Promise<void> {
    await Promise.all(this.#running)
    this.#throwFailure()
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error
  }
}
