import type { VolumeDescription } from '@palisade/agent-protocol'
import type { Revision } from '../revisions/revisions.ts'
import { diskOf, isSystemVolume } from '../system-volume.ts'

/**
 * The system volumes that have to come along for what is restored to start: for each boot volume all those of its disk,
 * unless they were chosen (reference, section 2.2); Linux often has two, the EFI system partition and /boot. From the same
 * run of a backup set, where they are always backed up together; else the revision of each that was made closest to it in
 * time, since of a vault that was adopted nobody knows the runs. A volume that was on the disk at another time, where
 * another one is that comes along, does not.
 *
 * @param chosen what was asked for
 * @param all every revision of the computer
 */
export function companionsOf(chosen: readonly Revision[], all: readonly Revision[]): Revision[] {
  const restored = [...chosen]
  for (const boot of chosen.filter(({ volume }) => volume.isBoot && !isSystemVolume(volume))) {
    const systems = all
      .filter(({ volume }) => isSystemVolume(volume) && isOnSameDisk(volume, boot.volume))
      .toSorted(byDistanceFrom(boot))
    for (const system of systems) {
      if (!restored.some(({ volume }) => excludes(volume, system.volume))) restored.push(system)
    }
  }
  return restored.slice(chosen.length)
}

/** A disk that has taken the place of another one is told from it by its id, where that is known. */
function isOnSameDisk(one: VolumeDescription, other: VolumeDescription): boolean {
  const isSameId = !one.placement || !other.placement || one.placement.disk.id === other.placement.disk.id
  return isSameId && diskOf(one) === diskOf(other)
}

/** Whether two volumes are one, or cannot have been on the disk together. */
function excludes(one: VolumeDescription, other: VolumeDescription): boolean {
  if (one.deviceId === other.deviceId) return true
  if (!one.placement || !other.placement || !isOnSameDisk(one, other)) return false
  const { offsetBytes: start } = one.placement
  const { offsetBytes: otherStart } = other.placement
  return start < otherStart + other.capacityBytes && otherStart < start + one.capacityBytes
}

/** Ids say little: from one to the next it may be a minute or a night. They decide between what was made at the same time. */
function byDistanceFrom(boot: Revision): (one: Revision, other: Revision) => number {
  const isOfOtherRun = ({ actionId }: Revision) =>
    Number(boot.actionId === null || boot.actionId !== actionId)
  const timeTo = ({ createdAt }: Revision) => Math.abs(boot.createdAt - createdAt)
  const stepsTo = ({ id }: Revision) => Math.abs(boot.id - id)
  return (one, other) =>
    isOfOtherRun(one) - isOfOtherRun(other) || timeTo(one) - timeTo(other) || stepsTo(one) - stepsTo(other)
}
