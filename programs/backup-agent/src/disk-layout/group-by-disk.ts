import type { RevisionToRestore } from '@palisade/agent-protocol'

/** Revisions of the volumes of one disk, at least one; the most important first. */
export type DiskGroup = readonly [RevisionToRestore, ...RevisionToRestore[]]

/** What an unsigned MBR has for an id. */
const noSignature = '00000000'

/**
 * Puts revisions together whose volumes were on one disk, known by its id or else by its path. A volume that was on no
 * partition has a disk of its own. The disk that a machine starts from comes first, the others in the order in which
 * they were asked for.
 */
export function groupByDisk(revisions: readonly RevisionToRestore[]): readonly DiskGroup[] {
  const groups = new Map<string, RevisionToRestore[]>()
  const idsByPath = new Map(
    revisions.flatMap((revision) => {
      const id = idOf(revision)
      return id === undefined ? [] : [[pathOf(revision), id] as const]
    }),
  )
  for (const revision of revisions) {
    const isBare = revision.volume.partitionScheme === 'none'
    const diskKey = idOf(revision) ?? idsByPath.get(pathOf(revision)) ?? `path ${pathOf(revision)}`
    const key = isBare ? `volume ${revision.volume.deviceId}` : diskKey
    groups.set(key, [...(groups.get(key) ?? []), revision])
  }
  return [...groups.values()]
    .map((group) => group.toSorted((one, other) => rankOf(one) - rankOf(other)))
    .toSorted((one, other) => startRank(one) - startRank(other))
    .flatMap(([first, ...others]): DiskGroup[] => (first === undefined ? [] : [[first, ...others]]))
}

function idOf({ volume: { placement } }: RevisionToRestore): string | undefined {
  return placement === undefined || placement.disk.id === noSignature ? undefined : `id ${placement.disk.id}`
}

function pathOf({ volume: { diskId, sourcePath } }: RevisionToRestore): string {
  return diskId ?? sourcePath
}

/** What a disk is named after: the volume with the system, rather than the one that only starts it. */
function rankOf({ volume: { isBoot, isSystem = false } }: RevisionToRestore): number {
  if (!isBoot) return 2
  return isSystem ? 1 : 0
}

/** Firmware starts from the partition with what only starts systems; a system, and on a RAID also /boot, may be elsewhere. */
function startRank(group: readonly RevisionToRestore[]): number {
  const systems = group.filter(({ volume }) => volume.isSystem === true)
  if (systems.some(({ volume }) => volume.partitionScheme !== 'none')) return 0
  if (systems.length > 0) return 1
  return group.some(({ volume }) => volume.isBoot) ? 2 : 3
}
