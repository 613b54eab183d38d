import { ConfigurationRefused } from '../failure.ts'
import { type ConfigurationObject, subtree } from '../objects/configuration-object.ts'
import { referrersOf } from '../objects/references.ts'
import type { Snapshot, Write } from '../objects/snapshot.ts'
import { administratorKind } from './author.ts'
import type { Behaviour } from './behaviour.ts'
import { differences } from './members.ts'
import { describe, type Plan } from './plan.ts'

/** What the names of checkpoints start with that keep what one deletion has deleted. */
export const deletionPrefix = 'automatic-deletion-'

/**
 * Plans the end of an object and of everything inside it. All of it is kept, unless it is an administrator: documents, from which it
 * could come back, have none.
 *
 * @param mayBeNamed whether whoever deletes it may learn of an object
 * @throws ConfigurationRefused factory-object, or in-use, naming the objects that refer to it from outside
 */
export function planDeletion(
  snapshot: Snapshot,
  object: ConfigurationObject,
  behaviour: Behaviour | undefined,
  mayBeNamed: (object: ConfigurationObject) => boolean,
): Plan {
  // Said first: nobody should change all that names the object, only to hear that it stays.
  refuseFactoryObject(object)
  const deletedObjects = new Set(subtree(object))
  const users = Array.from(referrersOf(object, snapshot), ({ referrer }) => referrer).filter(
    (one) => !deletedObjects.has(one),
  )
  if (users.length > 0) {
    const visibleUsers = users.filter(mayBeNamed)
    throw new ConfigurationRefused({
      code: 'in-use',
      what: describe(object),
      users: visibleUsers.map(describe),
      unnamedCount: users.length - visibleUsers.length,
    })
  }
  behaviour?.refuseDeletion?.(object, snapshot)
  const { kind, path } = object
  return {
    action: 'delete',
    object: { kind, path },
    writes: Array.from(
      deletedObjects,
      (one): Write => ({ kind: one.kind, path: one.path, content: undefined }),
    ),
    changes: differences(kind.fields, object.content.values, {}),
    ...(kind.name === administratorKind
      ? {}
      : { kept: { checkpoint: `${deletionPrefix}${snapshot.version}`, objects: [...deletedObjects] } }),
  }
}

/**
 * Other parts of the configuration count on the factory's objects, so they stay under their names.
 *
 * @throws ConfigurationRefused factory-object
 */
export function refuseFactoryObject(object: ConfigurationObject): void {
  const { factory, inEveryParent } = object.kind
  const isFactory = factory.some(({ path }) => JSON.stringify(path) === JSON.stringify(object.path))
  if (isFactory || inEveryParent.some(({ name }) => name === object.name))
    throw new ConfigurationRefused({ code: 'factory-object', what: describe(object) })
}
