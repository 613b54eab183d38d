/** Which objects are there, as far as replies have told: names by the address of the collection. */
export class KnownNames {
  readonly #byCollection = new Map<string, Set<string>>()
  readonly #byKind = new Map<string, Set<string>>()
  /** What was created and can be taken away again, oldest first. */
  readonly #created: string[] = []

  /** How many objects were created and not taken away. */
  get createdCount(): number {
    return this.#created.length
  }

  namesIn(collection: string): string[] {
    return [...(this.#byCollection.get(collection) ?? [])]
  }

  namesOf(kinds: readonly string[]): string[] {
    return kinds.flatMap((kind) => [...(this.#byKind.get(kind) ?? [])])
  }

  /** @param kind as the names in braces call it, with hyphens; undefined when it has none */
  add(collection: string, kind: string | undefined, names: readonly string[]): void {
    for (const name of names) {
      addTo(this.#byCollection, collection, name)
      if (kind !== undefined) addTo(this.#byKind, kind, name)
    }
  }

  addCreated(collection: string, kind: string | undefined, name: string): void {
    this.add(collection, kind, [name])
    this.#created.push(`${collection}/${encodeURIComponent(name)}`)
  }

  /** The address of the object that was created first, which is then forgotten. */
  takeOldest(): string | undefined {
    return this.#created.shift()
  }

  remove(collection: string, name: string): void {
    this.#byCollection.get(collection)?.delete(name)
  }
}

function addTo(map: Map<string, Set<string>>, key: string, name: string): void {
  const names = map.get(key) ?? new Set()
  names.add(name)
  map.set(key, names)
}
