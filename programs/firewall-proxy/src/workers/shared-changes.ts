import { type SharedChange, sharedMemoryMax, sharedStorages } from '@palisade/proxy-protocol'
import type { StoredChanges } from './messages.ts'
import type { SharedCollections } from './shared-collections.ts'

/** The name of the only variable in what is remembered without rules. */
const variable = 'count'

/** What other proxies are told of changes; rules' own collections and bindings to servers stay with this one. */
export function sharedChangesOf(all: readonly StoredChanges[]): SharedChange[] {
  return all.flatMap(({ storage, collection, instance, changes }) => {
    const sharedStorage = sharedStorages.find((name) => name === storage)
    if (sharedStorage === undefined || instance.length > sharedMemoryMax.text) return []
    if (collection.length > sharedMemoryMax.collection) return []
    return changes.flatMap((change): SharedChange[] => {
      const of = { storage: sharedStorage, collection, instance }
      if (change.kind === 'add')
        return [{ ...of, difference: change.difference, expiresAt: change.expiresAt }]
      if (change.kind !== 'set' || change.value.length > sharedMemoryMax.text) return []
      return [{ ...of, value: change.value, expiresAt: change.expiresAt }]
    })
  })
}

/**
 * A change that another proxy tells, as one to what is remembered here.
 *
 * @param now in milliseconds since 1970: a window that is over begins anew
 */
export function storedChangesOf(
  { storage, collection, instance, value, difference = 0, expiresAt }: SharedChange,
  collections: SharedCollections,
  now: number,
): StoredChanges {
  const of = { storage, collection, instance }
  if (value !== undefined) return { ...of, changes: [{ kind: 'set', key: variable, value, expiresAt }] }
  const entry = collections.of(storage).load(collection, instance).get(variable)
  if (entry !== undefined && now < entry.expiresAt)
    return { ...of, changes: [{ kind: 'add', key: variable, difference, expiresAt: entry.expiresAt }] }
  return {
    ...of,
    changes: [{ kind: 'set', key: variable, value: String(Math.max(0, difference)), expiresAt }],
  }
}
