import type { CollectionChange, CollectionStorage, StoredVariable } from './collection-storage.ts'

/** More instances than this are not kept; the one that was changed longest ago goes first. */
const instancesMaxDefault = 100_000

/** Keeps collections in the memory of this process. */
export class MemoryCollectionStorage implements CollectionStorage {
  /** In the order of the last change. */
  readonly #instances = new Map<string, Map<string, StoredVariable>>()
  readonly #instancesMax: number

  constructor(options: { readonly instancesMax?: number } = {}) {
    this.#instancesMax = options.instancesMax ?? instancesMaxDefault
  }

  load(collection: string, instance: string): ReadonlyMap<string, StoredVariable> {
    return this.#instances.get(`${collection}\n${instance}`) ?? new Map()
  }

  apply(collection: string, instance: string, changes: readonly CollectionChange[]): void {
    const name = `${collection}\n${instance}`
    // A transaction may still read the map that it was given.
    const variables = new Map(this.#instances.get(name))
    for (const change of changes) applyChange(variables, change)
    keepAlive(variables, changes)
    this.#instances.delete(name)
    this.#instances.set(name, variables)
    this.#dropOldest()
  }

  /** All that is kept, the one that was changed longest ago first. */
  *instances(): Iterable<{
    readonly collection: string
    readonly instance: string
    readonly variables: ReadonlyMap<string, StoredVariable>
  }> {
    for (const [name, variables] of this.#instances) {
      const end = name.indexOf('\n')
      yield { collection: name.slice(0, end), instance: name.slice(end + 1), variables }
    }
  }

  #dropOldest(): void {
    for (const name of this.#instances.keys()) {
      if (this.#instances.size <= this.#instancesMax) return
      this.#instances.delete(name)
    }
  }
}

function applyChange(variables: Map<string, StoredVariable>, change: CollectionChange): void {
  const storedVariable = variables.get(change.key)
  switch (change.kind) {
    case 'set': {
      const { kind: _, key, ...variable } = change
      variables.set(key, variable)
      break
    }
    case 'add': {
      const sum = Math.max(0, (Number.parseInt(storedVariable?.value ?? '', 10) || 0) + change.difference)
      variables.set(change.key, {
        ...(storedVariable ?? { expiresAt: change.expiresAt }),
        value: String(sum),
      })
      break
    }
    case 'count': {
      const { key, difference, now, expiresAt } = change
      const isWithin = storedVariable !== undefined && now < storedVariable.expiresAt
      const { value, ...rest } = isWithin ? storedVariable : { value: '0', expiresAt }
      variables.set(key, { ...rest, value: String(Math.max(0, Number(value) + difference)) })
      break
    }
    case 'unset':
      variables.delete(change.key)
      break
    case 'expire':
      if (storedVariable !== undefined)
        variables.set(change.key, { ...storedVariable, expiresAt: change.expiresAt, expiresByRule: true })
      break
  }
}

/** What no rule lets expire lives at least as long as what was written with it. */
function keepAlive(variables: Map<string, StoredVariable>, changes: readonly CollectionChange[]): void {
  const ends = changes.map((change) =>
    change.kind === 'add' || (change.kind === 'set' && !change.expiresByRule) ? change.expiresAt : 0,
  )
  const expiresAt = Math.max(...ends)
  for (const [key, variable] of variables) {
    if (!variable.expiresByRule && variable.expiresAt < expiresAt)
      variables.set(key, { ...variable, expiresAt })
  }
}
