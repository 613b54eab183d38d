import type { ServerMessage } from '@palisade/agent-protocol'
import type { Destination } from '../destinations/destination.ts'
import { safeBaseName } from '../destinations/file-names.ts'
import type { RestoreKeys } from '../end-to-end/task-keys.ts'
import type { RequestContext } from '../server/request-context.ts'
import type { DiskToName } from '../state/journal.ts'
import { type DiskShape, shapeDisk } from './disk-shape.ts'
import { storedSizeBytes } from './stored-extents.ts'
import { findStoredVolume } from './stored-volume.ts'

/** One disk of a restore: where everything of it will be, and what it will be called. */
export interface PlannedDisk extends DiskToName, DiskShape {}

/** All disks of one restore, and what opens the chunks of each. */
export interface PlannedDisks {
  readonly restoreId: string
  readonly disks: readonly PlannedDisk[]
  readonly keys: RestoreKeys
}

/** What disks are planned from. */
export type DisksToPlan = Pick<
  Extract<ServerMessage, { type: 'start-restore' }>,
  'id' | 'revisions' | 'diskFormat'
>

/**
 * Decides which disks a restore makes and where each byte of them will be. Asks the server which chunks are stored; writes
 * nothing.
 *
 * @throws TaskFailure when a revision cannot be read, or the format cannot hold it
 */
export type PlanDisks = (
  request: DisksToPlan,
  keys: RestoreKeys,
  destination: Destination,
  context: RequestContext,
) => Promise<readonly PlannedDisk[]>

/** Plans a disk of its own for each revision. */
export const planDisks: PlanDisks = async ({ id, revisions, diskFormat }, _keys, destination, context) => {
  const baseNames = revisions.map(({ fileName }) => safeBaseName(fileName))
  const paths = destination.partialPaths(id, baseNames)
  const disks: PlannedDisk[] = []
  for (const [index, revision] of revisions.entries()) {
    disks.push({
      ...shapeDisk(await findStoredVolume(id, revision, context), diskFormat),
      partialPath: paths[index] ?? '',
      baseName: baseNames[index] ?? '',
      extension: diskFormat.toLowerCase(),
    })
  }
  return disks
}

/** How many bytes of their volumes are stored. */
export function storedBytesOf(disks: readonly PlannedDisk[]): number {
  return disks
    .flatMap(({ volumes }) => volumes)
    .reduce((sum, { presence, geometry }) => sum + storedSizeBytes(presence, geometry), 0)
}
