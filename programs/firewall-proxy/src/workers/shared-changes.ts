import { type SharedChange, sharedMemoryMax, sharedStorages } from '@palisade/proxy-protocol'
import type { CollectionChange } from '@palisade/seclang'
import type { StoredChanges } from './messages.ts'

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
      if (change.kind === 'count')
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
  now: number,
): StoredChanges {
  const change: CollectionChange =
    value === undefined
      ? { kind: 'count', key: variable, difference, now, expiresAt }
      : { kind: 'set', key: variable, value, expiresAt }
  return { storage, collection, instance, changes: [change] }
}
