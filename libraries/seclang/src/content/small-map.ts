/** As many pairs are found as fast one after the other as in a map. */
const pairsMax = 24

/**
 * A map that mostly stays small, of which there are many: its keys and values lie in turn in one array, which takes half the memory of a
 * map of V8. Each key is set once.
 */
export class SmallMap<Key, Value> {
  readonly #pairs: (Key | Value)[]
  /** What found no place in the array. */
  #others: Map<Key, Value> | undefined

  constructor(key: Key, value: Value) {
    this.#pairs = [key, value]
  }

  get(key: Key): Value | undefined {
    const pairs = this.#pairs
    for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === key) return pairs[at + 1] as Value
    return this.#others?.get(key)
  }

  set(key: Key, value: Value): void {
    if (this.#pairs.length < 2 * pairsMax) this.#pairs.push(key, value)
    else {
      this.#others ??= new Map()
      this.#others.set(key, value)
    }
  }
}
