/**
 * The disks of a machine restore: volumes that were on one disk come back on one disk, as it was where that is known.
 *
 *     revisions ──> disks they were on ──> layout of each ──> file of each
 *                   boot disk first        frame, places, ids
 */
import type { RevisionToRestore } from '@palisade/agent-protocol'
import { safeBaseName } from '../destinations/file-names.ts'
import type { RestoreKeys } from '../end-to-end/task-keys.ts'
import type { RequestContext } from '../server/request-context.ts'
import { type DiskContent, orNoDisk, planFile } from './disk-shape.ts'
import { fetchFrame } from './fetch-frame.ts'
import { groupByDisk } from './group-by-disk.ts'
import { hiddenSectorPatches } from './hidden-sectors.ts'
import { type DiskLayout, layOutMachineDisk } from './machine-disk-layout.ts'
import type { PlacedVolume } from './placed-volume.ts'
import type { PlanDisks } from './planned-disk.ts'
import { findStoredVolume, type StoredVolume } from './stored-volume.ts'

/**
 * Plans the disks of a machine restore: which there are, which volumes are on each and where. Asks the server which
 * chunks are stored, and for what was kept of the disks beside their volumes; writes nothing.
 *
 * The first disk is the one that the machine starts from; the others follow in the order in which the machine is to
 * see them.
 *
 * @throws TaskFailure when the revisions cannot be read or the format cannot hold them
 */
export const planMachineDisks: PlanDisks = async (
  { id, revisions, diskFormat },
  keys,
  destination,
  context,
) => {
  const contents = await findMachineDisks(id, revisions, keys, context)
  const baseNames = contents.map(({ name }) => safeBaseName(name))
  const paths = destination.partialPaths(id, baseNames)
  return contents.map((content, index) => ({
    ...orNoDisk(diskFormat, () => planFile(content, diskFormat)),
    partialPath: paths[index] ?? '',
    baseName: baseNames[index] ?? '',
    extension: diskFormat.toLowerCase(),
  }))
}

/** What a disk of a machine holds, and what the server would call it. */
export interface MachineDiskContent extends DiskContent {
  readonly name: string
}

/** The same without files: which disks there are, and what is on each and where. */
export async function findMachineDisks(
  restoreId: string,
  revisions: readonly RevisionToRestore[],
  keys: RestoreKeys,
  context: RequestContext,
): Promise<readonly MachineDiskContent[]> {
  const contents: MachineDiskContent[] = []
  for (const group of groupByDisk(revisions)) {
    const volumes: StoredVolume[] = []
    for (const revision of group) volumes.push(await findStoredVolume(restoreId, revision, context))
    contents.push({ ...(await contentOf(restoreId, volumes, keys, context)), name: group[0].fileName })
  }
  return contents
}

async function contentOf(
  restoreId: string,
  volumes: readonly StoredVolume[],
  keys: RestoreKeys,
  context: RequestContext,
): Promise<DiskContent> {
  // Every revision has the frame of its time: the newest one knows the disk best.
  const newest = volumes
    .map(({ revision }) => revision)
    .filter(({ volume }) => volume.frame !== undefined)
    .toSorted((one, other) => other.revisionId - one.revisionId)[0]
  const frame = newest && (await fetchFrame(restoreId, newest, keys(newest), context))
  const layout = orNoDisk('disk', () => layOutMachineDisk(volumes, frame))
  const placedVolumes: PlacedVolume[] = []
  for (const [index, stored] of volumes.entries()) {
    const partitionOffsetBytes = layout.offsetsBytes[index] ?? 0
    const hasMoved = stored.revision.volume.placement?.offsetBytes !== partitionOffsetBytes
    const patches = hasMoved
      ? await hiddenSectorPatches(restoreId, stored, partitionOffsetBytes, keys(stored.revision), context)
      : []
    const endBytes = partitionOffsetBytes + stored.geometry.volumeSizeBytes
    placedVolumes.push({
      ...stored,
      partitionOffsetBytes,
      roomBehindBytes: nextByte(layout, endBytes) - endBytes,
      patches,
    })
  }
  return {
    virtualSizeBytes: layout.virtualSizeBytes,
    sectorSizeBytes: layout.sectorSizeBytes,
    regions: layout.regions,
    volumes: placedVolumes.toSorted((one, other) => one.partitionOffsetBytes - other.partitionOffsetBytes),
  }
}

/** Where the next volume or region begins that lies behind a place on the disk; the end of the disk when there is none. */
function nextByte({ offsetsBytes, regions, virtualSizeBytes }: DiskLayout, endBytes: number): number {
  const starts = [...offsetsBytes, ...regions.map(({ offsetBytes }) => offsetBytes), virtualSizeBytes]
  return Math.min(...starts.filter((start) => start >= endBytes))
}
