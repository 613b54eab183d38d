import { ConfigurationRefused } from '../failure.ts'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { describe } from './plan.ts'

/**
 * Refuses a path that leads nowhere.
 *
 * @param kind of the object to which the path leads, or of one inside that
 * @throws ConfigurationRefused not-found, naming the outermost object of the path that is not there
 */
export function refuseMissing(snapshot: Snapshot, { lineage }: CompiledKind, path: readonly string[]): void {
  for (const [index] of path.entries()) {
    const kind = lineage[index]
    const upTo = path.slice(0, index + 1)
    if (kind && !snapshot.object(kind, upTo)) {
      throw new ConfigurationRefused({ code: 'not-found', what: describe({ kind, path: upTo }) })
    }
  }
}
