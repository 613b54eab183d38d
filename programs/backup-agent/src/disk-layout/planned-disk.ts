import type { Destination } from '../destinations/destination.ts'
import { safeBaseName } from '../destinations/file-names.ts'
import type { RestoreRequest } from '../restore/restore.ts'
import type { DiskToName } from '../state/journal.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import { type DiskShape, shapeDisk } from './disk-shape.ts'
import { storedSizeBytes } from './stored-extents.ts'
import { findStoredVolume } from './stored-volume.ts'

/** One disk of a restore: where everything of it will be, and what it will be called. */
export interface PlannedDisk extends DiskToName, DiskShape {}

/** What disks are planned from. */
export type DisksToPlan = Pick<RestoreRequest, 'id' | 'revisions' | 'diskFormat'>

/** Asks which chunks of each revision are stored, and plans a disk of its own for each. */
export async function planDisks(
  { id, revisions, diskFormat }: DisksToPlan,
  destination: Destination,
  context: TaskContext,
): Promise<readonly PlannedDisk[]> {
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
