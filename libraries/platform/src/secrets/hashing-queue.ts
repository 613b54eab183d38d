/**
 * The largest body with which somebody logs in, in bytes. Anybody may send one, and while others have their turns
 * with hashing it waits in memory.
 */
export const credentialsSizeMax = 16 * 1024

/** Who wants hashes: a service, or the network that a login comes from. */
type Owner = object | string

/**
 * Lets a few hashes be computed at once, so that a flood of logins costs time but not the machine's memory. What
 * one owner wants is done in order, and the owners take turns: a crowd at one keeps nobody at another waiting for
 * longer than a turn of each.
 */
export class HashingQueue {
  /** Who waits. The owner whose turn is next comes first. */
  readonly #waiting = new Map<Owner, (() => void)[]>()
  readonly #concurrentMax: number
  #running = 0

  /** @param concurrentMax how many hashes may be computed at the same time; each takes 19 MiB */
  constructor(concurrentMax = 2) {
    this.#concurrentMax = concurrentMax
  }

  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#concurrentMax) await this.#turnOf(owner)
    else this.#running++
    try {
      return await work()
    } finally {
      this.#endTurn()
    }
  }

  #turnOf(owner: Owner): Promise<void> {
    return new Promise((resolve) => {
      const others = this.#waiting.get(owner)
      if (others) others.push(resolve)
      else this.#waiting.set(owner, [resolve])
    })
  }

  #endTurn(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#running--
      return
    }
    const [owner, waiting] = next
    this.#waiting.delete(owner)
    const begin = waiting.shift()
    if (waiting.length > 0) this.#waiting.set(owner, waiting)
    begin?.()
  }
}
