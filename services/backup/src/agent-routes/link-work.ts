/**
 * What the links of agents have under way in the store. A service that ends waits for it, and takes nothing more: an agent repeats what
 * matters when it has connected again.
 */
export class LinkWork {
  readonly #underWay = new Set<Promise<void>>()
  #isClosed = false

  /** Whether nothing is taken any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Does something, unless nothing is taken any more. Rejects as it does. */
  async run(work: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return
    const done = work()
    this.#underWay.add(done)
    try {
      await done
    } finally {
      this.#underWay.delete(done)
    }
  }

  /** Resolves when nothing is under way, and nothing begins any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#underWay)
  }
}
