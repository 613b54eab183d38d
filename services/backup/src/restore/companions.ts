import type { Revision } from '../revisions/revisions.ts'
import { diskOf, isSystemVolume } from '../sets/select-volumes.ts'

/**
 * The system volumes that have to come along for what is restored to start: for each boot volume that of its disk,
 * unless one of it was chosen (reference, section 2.2). From the same run of a backup set, where both are always
 * backed up; else the revision that was made closest to it.
 *
 * @param chosen what was asked for
 * @param all every revision of the computer
 */
export function companionsOf(chosen: readonly Revision[], all: readonly Revision[]): Revision[] {
  const companions = new Map<string, Revision>()
  const taken = new Set(chosen.map(({ volume }) => volume.deviceId))
  const systems = all.filter(({ volume }) => isSystemVolume(volume) && !taken.has(volume.deviceId))
  for (const boot of chosen.filter(({ volume }) => volume.isBoot && !isSystemVolume(volume))) {
    const [closest] = systems
      .filter(({ volume }) => diskOf(volume) === diskOf(boot.volume))
      .toSorted((one, other) => distance(boot, one) - distance(boot, other))
    if (closest) companions.set(closest.volume.deviceId, closest)
  }
  return [...companions.values()]
}

function distance(boot: Revision, system: Revision): number {
  const isOfSameRun = boot.actionId !== null && boot.actionId === system.actionId
  return isOfSameRun ? 0 : Math.abs(boot.id - system.id)
}
