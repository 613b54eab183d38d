import { VaultFailure } from '../failure.ts'

/** What is asked of a storage, and how it is told that it is another one. */
interface Storage {
  readonly exists: (name: string) => Promise<boolean>
  /** What may have happened, for a message: "the folder was emptied". */
  readonly cause: string
  readonly description: string
}

/** Objects that are there as long as a storage is. It can vanish unnoticed: a folder that is unmounted, a bucket that is emptied. */
export class ReliedObjects {
  readonly #storage: Storage
  #names: readonly string[] = []
  #seenAtMs = Number.NEGATIVE_INFINITY

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** @param names of which one is there; none where nothing can be said */
  set(names: readonly string[]): void {
    this.#names = names
    this.#seenAtMs = Number.NEGATIVE_INFINITY
  }

  /**
   * @param seenForMs how long one that was seen counts as there; milliseconds
   * @throws VaultFailure `storage` when none is there
   */
  async ensureThere(seenForMs = 0): Promise<void> {
    if (this.#names.length === 0) return
    const nowMs = performance.now()
    if (nowMs - this.#seenAtMs < seenForMs) return
    for (const name of this.#names) {
      if (!(await this.#storage.exists(name))) continue
      this.#seenAtMs = nowMs
      return
    }
    const { description, cause } = this.#storage
    throw new VaultFailure(
      'storage',
      `${description} has no ${this.#names.join(' and no ')} any more: ${cause}. Nothing is read from it or written to it until one of them is there again`,
    )
  }
}
