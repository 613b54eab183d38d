/** What a {@link SwapRemoveList} holds: it knows its own place there. */
export interface ListItem {
  /** Written by nobody else. */
  place: number
}

/**
 * Items of which each is here for a moment only, in no order: adding and removing one takes the same time however many there are.
 *
 * Not a Set, because V8 replaces the table of a Set, in which much comes and goes, again and again: each old table keeps what was in it
 * and leads to the next one, and once one of them has come into the old generation, none of them is freed before that is collected. Nearly
 * every request, with all that its rules have found out, outlived its end by seconds so: a collection of young objects took 15 ms
 * with a Set, and takes 3 ms.
 */
export class SwapRemoveList<T extends ListItem> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  /** All of them at this moment. */
  all(): readonly T[] {
    return [...this.#items]
  }

  /** @param item one that is in no list */
  add(item: T): void {
    item.place = this.#items.length
    this.#items.push(item)
  }

  /** The last item takes its place. Nothing happens when it is not here. */
  delete(item: T): void {
    if (this.#items[item.place] !== item) return
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#items[item.place] = last
    last.place = item.place
  }
}
