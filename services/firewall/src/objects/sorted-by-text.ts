import btree from 'sorted-btree'

const { default: BTree, simpleComparator } = btree

/**
 * What is sorted by text, and never changes: a change makes another one, which shares with the former all but the way to
 * what was changed.
 */
export class SortedByText<Value> implements Iterable<Value> {
  readonly #tree: InstanceType<typeof BTree<string, Value>>

  private constructor(tree: InstanceType<typeof BTree<string, Value>>) {
    this.#tree = tree
  }

  /** In the order of the texts, whatever the order of the entries; of two with one text the last counts. */
  static of<Value>(entries: Iterable<readonly [text: string, value: Value]>): SortedByText<Value> {
    return new SortedByText<Value>(new BTree<string, Value>(undefined, simpleComparator)).with(entries)
  }

  get size(): number {
    return this.#tree.size
  }

  get(text: string): Value | undefined {
    return this.#tree.get(text)
  }

  /** The first value whose text is this one or comes after it, with that text. */
  firstFrom(text: string): readonly [text: string, value: Value] | undefined {
    return this.#tree.getPairOrNextHigher(text)
  }

  [Symbol.iterator](): Iterator<Value> {
    return this.#tree.values()
  }

  /** With other values for some texts; those without one are left out. */
  with(changes: Iterable<readonly [text: string, value: Value | undefined]>): SortedByText<Value> {
    const tree = this.#tree.clone()
    for (const [text, value] of changes) {
      if (value === undefined) tree.delete(text)
      else tree.set(text, value)
    }
    return new SortedByText(tree)
  }
}
