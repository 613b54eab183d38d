import type { Log } from '@palisade/platform'
import { applyRetention, type RetentionPolicy, type Vault } from '@palisade/vault'
import { domainOf } from '../computer-id.ts'
import { companionsOf } from '../restore/companions.ts'
import type { Revision, Revisions } from '../revisions/revisions.ts'
import type { Retention } from '../sets/set-definition.ts'
import type { BackupSet } from '../sets/sets.ts'
import type { RevisionRemoval } from './revision-removal.ts'

/**
 * Deletes the revisions of a set that its retention does not keep; a set without one keeps all. Revisions that were
 * found damaged, or that the vault does not have, neither count nor go: nobody should lose a good one to them, and
 * what is left of them may be needed. Pinned ones count and do not go.
 */
export async function retainRevisions(
  set: BackupSet,
  deps: {
    readonly vault: Vault
    readonly revisions: Revisions
    readonly removal: RevisionRemoval
    readonly log: Log
  },
): Promise<void> {
  const { retention } = set.definition.settings
  const { deleted } = await planRetention(set, retention, deps)
  const removed = await deps.removal.remove(set, deleted)
  if (removed.length === 0) return
  deps.log.info({ computer: domainOf(set), set: set.id, revisions: removed }, 'retention deleted revisions')
}

/** The ids of a set's revisions by what a retention would do with each now, oldest first; without one all are kept. */
export async function planRetention(
  set: BackupSet,
  retention: Retention | undefined,
  { vault, revisions }: { readonly vault: Vault; readonly revisions: Revisions },
): Promise<{ readonly kept: number[]; readonly deleted: number[] }> {
  const all = await revisions.ofSet(set, set.id)
  const ids = all.map(({ id }) => id)
  if (retention === undefined) return { kept: ids, deleted: [] }
  const storedIds = await vault.revisionIds(domainOf(set))
  const intact = all.filter(
    ({ id, verification }) => storedIds.has(String(id)) && verification?.state !== 'DAMAGED',
  )
  const superfluous = new Set(superfluousRevisions(intact, retention, set.definition.timeZone))
  return {
    kept: ids.filter((id) => !superfluous.has(id)),
    deleted: ids.filter((id) => superfluous.has(id)),
  }
}

/**
 * The ids of the revisions that a retention does not keep. Which is newer the ids say: dates are those of the agents, whose
 * clocks may be wrong. What comes along with a boot volume that is kept is kept too: volumes are counted one by one, and where
 * a run has failed for one of them the others would not be of the same runs. A pinned revision takes the place that it would take
 * without its pin, so that to pin it and to unpin it changes nothing for others.
 */
export function superfluousRevisions(
  revisions: readonly Revision[],
  retention: Retention,
  timeZone: string,
): number[] {
  const dated = revisions.map(({ id, volume, createdAt }) => ({
    id,
    order: id,
    revision: String(id),
    volume: volume.deviceId,
    createdMs: createdAt,
  }))
  const removed = new Set(applyRetention(dated, policyOf(retention, timeZone)).remove.map(({ id }) => id))
  for (const { id } of revisions.filter(({ isPinned }) => isPinned)) removed.delete(id)
  if (removed.size === 0) return []
  for (const revision of revisions.filter(({ id }) => !removed.has(id))) {
    for (const { id } of companionsOf([revision], revisions)) removed.delete(id)
  }
  return [...removed]
}

function policyOf(retention: Retention, timeZone: string): RetentionPolicy {
  const { keepLast, keepDaily = 0, keepWeekly = 0, keepMonthly = 0 } = retention
  return {
    last: keepLast,
    ...(keepDaily > 0 ? { daily: keepDaily } : {}),
    ...(keepWeekly > 0 ? { weekly: keepWeekly } : {}),
    ...(keepMonthly > 0 ? { monthly: keepMonthly } : {}),
    timeZone,
  }
}
