import type { Log } from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import type { OwnedAction } from '../actions/actions.ts'
import type { Revisions } from '../revisions/revisions.ts'
import type { BackupSet } from '../sets/sets.ts'
import { retainRevisions } from './retention.ts'
import type { RevisionRemoval } from './revision-removal.ts'
import type { Verifications } from './verifications.ts'

/**
 * What follows the backups of a run: the new revisions are verified, where the set says so; then revisions that it
 * does not keep are deleted, so that a damaged new one takes no good one's place.
 */
export function upkeepAfterRun(deps: {
  readonly vault: Vault
  readonly revisions: Revisions
  readonly removal: RevisionRemoval
  readonly verifications: Verifications
  readonly log: Log
}) {
  return async (set: BackupSet, run: OwnedAction, signal: AbortSignal): Promise<void> => {
    const { afterBackup, samplePercent = 100 } = set.definition.settings.verification ?? {}
    if (afterBackup === true) {
      for (const { id, verification } of await deps.revisions.ofAction(set, run.id)) {
        if (verification === null) await deps.verifications.verify(set, id, samplePercent, signal)
      }
    }
    await retainRevisions(set, deps)
  }
}
