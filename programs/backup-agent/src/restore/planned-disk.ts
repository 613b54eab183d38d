import { type RevisionToRestore, taskFailures } from '@palisade/agent-protocol'
import { type ChunkGeometry, chunkCountOf } from '../chunk-range.ts'
import { describe, TaskFailure } from '../failure.ts'
import { persist } from '../server/persist.ts'
import { isRefusedWith } from '../server/request-failure.ts'
import type { DiskToName } from '../state/journal.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import type { Destination } from './destination.ts'
import { type DiskShape, shapeDisk } from './disk-shape.ts'
import { fetchPresence } from './fetch-presence.ts'
import { safeBaseName } from './file-names.ts'
import type { RestoreRequest } from './restore.ts'
import { storedSizeBytes } from './stored-extents.ts'

/** One disk of a restore: where everything of it will be, and what it will be called. */
export interface PlannedDisk extends DiskToName, DiskShape {
  readonly revision: RevisionToRestore
  readonly geometry: ChunkGeometry
  /** A bit per chunk: whether it is stored. Shared by all threads. */
  readonly presence: Uint8Array
}

/** What every agent takes; the protocol's largest chunk leaves no room for the agent beside it. */
const chunkSizeBytesMax = 16 * 1024 * 1024

/** Asks which chunks of each revision are stored, and plans its disk. */
export async function planDisks(
  { id, revisions, diskFormat }: RestoreRequest,
  destination: Destination,
  context: TaskContext,
): Promise<readonly PlannedDisk[]> {
  const baseNames = revisions.map(({ fileName }) => safeBaseName(fileName))
  const paths = destination.partialPaths(id, baseNames)
  const disks: PlannedDisk[] = []
  for (const [index, revision] of revisions.entries()) {
    const { chunkSizeBytes, volume } = revision
    const geometry = { volumeSizeBytes: volume.capacityBytes, chunkSizeBytes }
    requireChunks(revision, geometry)
    const presence = await requestPresence(id, revision, context)
    disks.push({
      revision,
      geometry,
      presence,
      ...shapeDisk(revision, presence, diskFormat),
      partialPath: paths[index] ?? '',
      baseName: baseNames[index] ?? '',
      extension: diskFormat.toLowerCase(),
    })
  }
  return disks
}

/** How many bytes of their volumes are stored. */
export function storedBytesOf(disks: readonly PlannedDisk[]): number {
  return disks.reduce((sum, { presence, geometry }) => sum + storedSizeBytes(presence, geometry), 0)
}

async function requestPresence(
  restoreId: string,
  { revisionId, chunkCount }: RevisionToRestore,
  { client, signal, patience }: TaskContext,
): Promise<Uint8Array> {
  const request = { restoreId, revisionId, chunkCount }
  try {
    return await persist(() => fetchPresence(client, request, signal), { signal, patience, meant: [409] })
  } catch (error) {
    if (!isRefusedWith(error, 409)) throw error
    throw new TaskFailure(
      taskFailures.dataDamaged,
      `revision ${revisionId} cannot be read: ${describe(error)}`,
    )
  }
}

function requireChunks(
  { revisionId, chunkCount, chunkSizeBytes }: RevisionToRestore,
  geometry: ChunkGeometry,
): void {
  if (chunkCount === chunkCountOf(geometry) && chunkSizeBytes <= chunkSizeBytesMax) return
  throw new TaskFailure(
    taskFailures.dataDamaged,
    `revision ${revisionId} has ${chunkCount} chunks of ${chunkSizeBytes} bytes, which is not what its volume has`,
  )
}
