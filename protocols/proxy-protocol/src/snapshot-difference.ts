import type { ProxySnapshot, SnapshotService } from './snapshot.ts'

/**
 * What makes another snapshot of one that the reader has: the services that are other ones, and all else as the other snapshot has it.
 * Policies are left out where they are those of the base.
 */
export interface SnapshotDifference extends ProxySnapshot {
  /** The digest of the snapshot that it changes. */
  readonly base: string
  /** Those that the base does not have, or has with other settings. */
  readonly services: readonly SnapshotService[]
  /** The names of those that the base has and the other snapshot has not. */
  readonly removed: readonly string[]
}

/**
 * What makes `next` of `base`. Services are told apart as objects: those that did not change have to be the same ones in both.
 */
export function differenceBetween(base: ProxySnapshot, next: ProxySnapshot): SnapshotDifference {
  const before = new Set(base.services)
  const services = next.services.filter((service) => !before.has(service))
  const names = new Set(next.services.map(({ name }) => name))
  const removed = base.services.filter(({ name }) => !names.has(name)).map(({ name }) => name)
  const { policies, ...rest } = next
  return {
    ...rest,
    base: base.digest,
    services,
    removed,
    ...(haveSameKeys(base.policies, policies) ? {} : { policies: policies ?? {} }),
  }
}

/**
 * The snapshot that was sent, or that a difference makes of its base. It shares the services that did not change, in the order of the base; new ones
 * follow.
 *
 * @param base the snapshot that the reader has; undefined for none
 * @returns undefined for a difference to another one
 */
export function wholeSnapshot(
  sent: ProxySnapshot | SnapshotDifference,
  base: ProxySnapshot | undefined,
): ProxySnapshot | undefined {
  if (!('base' in sent)) return sent
  return sent.base === base?.digest ? changedSnapshot(base, sent) : undefined
}

function changedSnapshot(
  base: ProxySnapshot,
  { base: _, removed, services: changed, ...rest }: SnapshotDifference,
): ProxySnapshot {
  const services = new Map(base.services.map((service) => [service.name, service]))
  for (const name of removed) services.delete(name)
  for (const service of changed) services.set(service.name, service)
  return {
    ...(base.policies === undefined ? {} : { policies: base.policies }),
    ...rest,
    services: [...services.values()],
  }
}

/** Policies are found by digests of what they say: those of the same keys are the same. */
function haveSameKeys(one: ProxySnapshot['policies'], other: ProxySnapshot['policies']): boolean {
  const keys = Object.keys(one ?? {})
  return keys.length === Object.keys(other ?? {}).length && keys.every((key) => other?.[key] !== undefined)
}
