import type { DiskFormat } from '@palisade/agent-protocol'
import type { Revision } from '../revisions/revisions.ts'
import { restoreMessages } from './restore-refused.ts'

/** What a VHD can hold (specification, "Limits"); gigabytes as Windows counts them. */
const vhdVolumeMaxBytes = 2040 * 1024 ** 3

/**
 * What stands against a restore, as far as it depends on the revisions (specification, "Restore request rules").
 *
 * @param ids what was asked for
 * @param revisions which of them are revisions of the computer
 */
export function restoreObstacles(
  ids: readonly number[],
  revisions: readonly Revision[],
  diskFormat: DiskFormat,
): string[] {
  const byId = new Map(revisions.map((revision) => [revision.id, revision]))
  const revisionOfVolume = new Map<string, number>()
  const obstacles: string[] = []
  for (const id of ids) {
    const revision = byId.get(id)
    if (!revision) {
      obstacles.push(restoreMessages.unknownRevision(id))
      continue
    }
    const other = revisionOfVolume.get(revision.volume.deviceId)
    revisionOfVolume.set(revision.volume.deviceId, id)
    if (other === undefined) continue
    obstacles.push(
      `[revisions] is missing or invalid: ${other} and ${id} are of the same volume, and only one of them can be restored`,
    )
  }
  if (diskFormat === 'Vhdx') return obstacles
  const volumes = [...byId.values()].map(({ volume }) => volume)
  if (volumes.some(({ isBoot, firmware }) => isBoot && firmware === 'uefi')) {
    obstacles.push(restoreMessages.uefiNeedsVhdx)
  }
  if (volumes.some(({ capacityBytes }) => capacityBytes > vhdVolumeMaxBytes)) {
    obstacles.push(restoreMessages.largeNeedsVhdx)
  }
  return obstacles
}
