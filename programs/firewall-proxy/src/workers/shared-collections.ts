import {
  type CollectionChange,
  type CollectionStorage,
  MemoryCollectionStorage,
  type StoredVariable,
} from '@palisade/seclang'
import type { StorageName, StoredChanges } from './messages.ts'

/** How much of the stored collections goes into one message to a new worker. */
const instancesPerMessage = 1_000

/**
 * IP, SESSION, GLOBAL and the like, as one process knows them. A worker reads and writes its own copy, and what it writes reaches
 * the others a moment later (a tenth of a second on a machine that is not overloaded):
 *
 * - What is added to a counter is told as a difference, so that in the end all workers have the sum of all. Until then a worker
 *   may be behind: a limit of ten in a minute may let a few more through when a client uses many connections at once.
 * - Of two workers that set the same variable in the same moment each keeps what came to it last, until one sets it again.
 * - What a worker has not told when it is killed is lost.
 */
export class SharedCollections {
  readonly #storages: Readonly<Record<StorageName, SharedStorage>>

  /** @param onChanges told what the rules of this process wrote */
  constructor(onChanges: (changes: StoredChanges) => void) {
    this.#storages = {
      active: new SharedStorage('active', onChanges),
      passive: new SharedStorage('passive', onChanges),
      clients: new SharedStorage('clients', onChanges),
      logIns: new SharedStorage('logIns', onChanges),
      bindings: new SharedStorage('bindings', onChanges),
      logouts: new SharedStorage('logouts', onChanges),
      services: new SharedStorage('services', onChanges),
    }
  }

  /** Where the rules of services that block, of those that only log, or what goes without rules keep theirs. */
  of(name: StorageName): CollectionStorage {
    return this.#storages[name]
  }

  /** Takes over what others wrote. */
  take(all: readonly StoredChanges[]): void {
    for (const { storage, collection, instance, changes } of all) {
      this.#storages[storage].take(collection, instance, changes)
    }
  }

  /** Everything, as changes that lead to it from nothing, in parts that are not too long for a message. */
  *contentsInParts(): Iterable<StoredChanges[]> {
    let part: StoredChanges[] = []
    for (const instance of this.#contents()) {
      part.push(instance)
      if (part.length < instancesPerMessage) continue
      yield part
      part = []
    }
    if (part.length > 0) yield part
  }

  *#contents(): Iterable<StoredChanges> {
    for (const [name, storage] of Object.entries(this.#storages)) {
      for (const { collection, instance, variables } of storage.instances()) {
        const changes = Array.from(
          variables,
          ([key, variable]): CollectionChange => ({ kind: 'set', key, ...variable }),
        )
        yield { storage: name as StorageName, collection, instance, changes }
      }
    }
  }
}

class SharedStorage implements CollectionStorage {
  readonly #name: StorageName
  readonly #onChanges: (changes: StoredChanges) => void
  readonly #memory = new MemoryCollectionStorage()

  constructor(name: StorageName, onChanges: (changes: StoredChanges) => void) {
    this.#name = name
    this.#onChanges = onChanges
  }

  load(collection: string, instance: string): ReadonlyMap<string, StoredVariable> {
    return this.#memory.load(collection, instance)
  }

  apply(collection: string, instance: string, changes: readonly CollectionChange[]): void {
    this.#memory.apply(collection, instance, changes)
    // The transaction empties its list afterwards.
    this.#onChanges({ storage: this.#name, collection, instance, changes: [...changes] })
  }

  take(collection: string, instance: string, changes: readonly CollectionChange[]): void {
    this.#memory.apply(collection, instance, changes)
  }

  instances(): ReturnType<MemoryCollectionStorage['instances']> {
    return this.#memory.instances()
  }
}
