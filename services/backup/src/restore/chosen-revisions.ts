import type { RevisionToRestore } from '@palisade/agent-protocol'
import type { Computer } from '../computers/computers.ts'
import type { Revision, Revisions } from '../revisions/revisions.ts'
import { companionsOf } from './companions.ts'
import { diskFileName } from './file-name.ts'

/** The revisions that a restore is of. */
export interface ChosenRevisions {
  /** What was asked for, and the ids of what comes along. */
  readonly ids: readonly number[]
  /** Those of them that are the computer's. */
  readonly found: readonly Revision[]
}

/** Looks up revisions, and with boot volumes what has to come along for them to start. */
export async function chooseRevisions(
  computer: Computer,
  ids: readonly number[],
  revisions: Revisions,
): Promise<ChosenRevisions> {
  const revisionsById = await revisions.find(computer, ids)
  const hasBoot = revisionsById.some(({ volume }) => volume.isBoot)
  const companions = hasBoot ? companionsOf(revisionsById, await revisions.all(computer)) : []
  return { ids: [...ids, ...companions.map(({ id }) => id)], found: [...revisionsById, ...companions] }
}

/** What a restore of revisions is entered with: what the agent is told of each, and what they are of. */
export function revisionsOfRestore(computer: Computer, chosen: readonly Revision[]) {
  const origins = chosen.flatMap(({ id, origin }) => (origin ? [[String(id), origin] as const] : []))
  return {
    revisions: chosen.map((revision) => toRestore(computer, revision)),
    origins: Object.fromEntries(origins),
  }
}

/** What an agent is told of a revision that it is to restore. */
export function toRestore(computer: Computer, revision: Revision): RevisionToRestore {
  const { id, chunkSizeBytes, chunkCount, volume, endToEndKeyCheck } = revision
  return {
    revisionId: id,
    chunkSizeBytes,
    chunkCount,
    volume,
    fileName: diskFileName(computer.name, revision),
    ...(endToEndKeyCheck === null ? {} : { endToEndKeyCheck }),
  }
}
