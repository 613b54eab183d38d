/** Values that are forgotten after a while, and of which there are never more than a number. */
export class ExpiringMap<Value> {
  readonly #sizeMax: number
  readonly #entries = new Map<string, { readonly value: Value; readonly expiresAt: number }>()

  /** @param sizeMax beyond it, the entry goes that was set longest ago */
  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
  }

  get size(): number {
    return this.#entries.size
  }

  /** @param now as that of {@link set} */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (now < entry.expiresAt) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: string, value: Value, expiresAt: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, expiresAt })
    if (this.#entries.size <= this.#sizeMax) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}
