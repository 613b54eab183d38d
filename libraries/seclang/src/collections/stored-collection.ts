import type { CollectionChange, CollectionStorage } from './collection-storage.ts'
import { VariableCollection } from './variable-collection.ts'

/** A stored collection as one transaction sees and changes it. */
export class StoredCollection {
  readonly variables: VariableCollection
  readonly #name: string
  readonly #instance: string
  readonly #changes: CollectionChange[] = []
  readonly #expiresAt: number

  /**
   * @param name in lower case: `ip`
   * @param instance which one: an address, a session id
   * @param expiresAt when variables expire that no rule tells to expire earlier, in milliseconds since 1970
   */
  constructor(storage: CollectionStorage, name: string, instance: string, now: number, expiresAt: number) {
    this.#name = name
    this.#instance = instance
    this.#expiresAt = expiresAt
    this.variables = new VariableCollection(name.toUpperCase())
    for (const [key, variable] of storage.load(name, instance)) {
      if (variable.expiresAt > now) this.variables.set(key, variable.value)
      else this.#changes.push({ kind: 'unset', key })
    }
  }

  set(key: string, value: string): void {
    this.variables.set(key, value)
    this.#changes.push({ kind: 'set', key: key.toLowerCase(), value, expiresAt: this.#expiresAt })
  }

  /** @param value what it is now @param difference by which it was changed */
  add(key: string, value: string, difference: number): void {
    this.variables.set(key, value)
    this.#changes.push({ kind: 'add', key: key.toLowerCase(), difference, expiresAt: this.#expiresAt })
  }

  unset(key: string): void {
    this.variables.unset(key)
    this.#changes.push({ kind: 'unset', key: key.toLowerCase() })
  }

  expireAt(key: string, expiresAt: number): void {
    this.#changes.push({ kind: 'expire', key: key.toLowerCase(), expiresAt })
  }

  /** Hands what was changed to the storage. */
  save(storage: CollectionStorage): void {
    if (this.#changes.length > 0) storage.apply(this.#name, this.#instance, this.#changes)
    this.#changes.length = 0
  }
}
