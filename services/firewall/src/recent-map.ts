/**
 * A map that forgets what has not been asked for lately: it keeps between one and two times `size` entries, in
 * two generations. When the younger is full it becomes the older, and what was the older is forgotten.
 */
export class RecentMap<Key, Value> {
  readonly #size: number
  #younger = new Map<Key, Value>()
  #older = new Map<Key, Value>()

  /** @param size how many of the entries that were used last are surely kept */
  constructor(size: number) {
    this.#size = size
  }

  get(key: Key): Value | undefined {
    const young = this.#younger.get(key)
    if (young !== undefined) return young
    const old = this.#older.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    if (this.#younger.size >= this.#size) {
      this.#older = this.#younger
      this.#younger = new Map()
    }
    this.#younger.set(key, value)
  }

  delete(key: Key): void {
    this.#younger.delete(key)
    this.#older.delete(key)
  }
}
