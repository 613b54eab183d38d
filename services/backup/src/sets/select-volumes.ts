import type { BackupSource, DiscoveredVolume, VolumeDescription } from '@palisade/agent-protocol'
import { readSource } from '../given-source.ts'
import { diskOf, isSystemVolume } from '../system-volume.ts'
import { allVolumes, isAll, isNamed, systemDrive } from './read-set.ts'
import type { SelectedVolume, SetDefinition } from './set-definition.ts'

/** Whether the agent must be asked for its volumes before this can be run. */
export function needsDiscovery({ selection, exclusions }: SetDefinition): boolean {
  return [...selection, ...exclusions].some((selected) => typeof selected === 'string')
}

/**
 * The sources that a run of a set backs up, each once, in the order of the volumes that were found. A boot volume
 * brings the system volume of its disk along; `%All%` takes no volume that cannot be backed up, or that another set
 * has.
 *
 * @param volumes what the computer has; empty when nobody asked
 * @param covered device ids of volumes that other sets back up
 */
export function selectSources(
  { selection, exclusions }: SetDefinition,
  volumes: readonly DiscoveredVolume[],
  covered: ReadonlySet<string> = new Set(),
): BackupSource[] {
  const isExcluded = (one: DiscoveredVolume) => exclusions.some((selected) => names(selected, one, volumes))
  const isChosen = (one: DiscoveredVolume) =>
    selection.some((selected) =>
      isAll(selected)
        ? names(selected, one, volumes) && one.unsupportedReason === 0 && !covered.has(one.volume.deviceId)
        : names(selected, one, volumes),
    ) && !isExcluded(one)
  const chosenVolumes = volumes.filter(isChosen)
  const bootDisks = new Set(
    chosenVolumes.filter(({ volume }) => volume.isBoot).map(({ volume }) => diskOf(volume)),
  )
  const companions = volumes.filter(({ volume }) => isSystemVolume(volume) && bootDisks.has(diskOf(volume)))
  const unseen = selection.filter(
    (selected): selected is BackupSource =>
      typeof selected !== 'string' &&
      !volumes.some(({ source }) => isSameSource(source, selected)) &&
      !exclusions.some((excluded) => typeof excluded !== 'string' && isSameSource(excluded, selected)),
  )
  return distinct([
    ...chosenVolumes.map(({ source }) => source),
    ...companions.map(({ source }) => source),
    ...unseen,
  ])
}

/** Device ids of the volumes that the selections name themselves, not by `%All%`. */
export function coveredVolumes(
  definitions: readonly SetDefinition[],
  volumes: readonly DiscoveredVolume[],
): Set<string> {
  const explicitDefinitions = definitions.map((definition) => ({
    ...definition,
    selection: definition.selection.filter((selected) => !isAll(selected)),
  }))
  const sources = explicitDefinitions.flatMap((definition) => selectSources(definition, volumes))
  return new Set(
    volumes
      .filter(({ source }) => sources.some((other) => isSameSource(source, other)))
      .map(({ volume }) => volume.deviceId),
  )
}

/** What `%All%` means now, in names that stay: for sets that do not take volumes in that come later. */
export function withoutAll(definition: SetDefinition, volumes: readonly DiscoveredVolume[]): SetDefinition {
  const sources = selectSources(definition, volumes)
  const devices = volumes
    .filter(
      ({ source, volume }) =>
        !comesAlong(volume, volumes) && sources.some((other) => isSameSource(source, other)),
    )
    .map(({ volume }) => volume.deviceId)
  const rest = definition.selection.filter((selected) => !isAll(selected))
  return { ...definition, selection: [...new Set([...rest, ...devices])] }
}

function names(
  selected: SelectedVolume,
  { source, volume }: DiscoveredVolume,
  all: readonly DiscoveredVolume[],
): boolean {
  if (typeof selected !== 'string') return isSameSource(selected, source)
  if (isNamed(selected, allVolumes)) return !comesAlong(volume, all)
  if (isNamed(selected, systemDrive)) return volume.isBoot && !isSystemVolume(volume)
  const letter = selected.replace(/\\$/, '').toUpperCase()
  const isLetter = /^[A-Z]:$/.test(letter) && volume.driveLetter.toUpperCase() === letter
  return isLetter || withoutEnd(selected) === withoutEnd(volume.deviceId)
}

/**
 * Whether there is a boot volume that brings a volume along. Beside a root that the agent cannot look into there is none, and
 * what starts it would be in no backup if it were not a volume like others.
 */
function comesAlong(volume: VolumeDescription, all: readonly DiscoveredVolume[]): boolean {
  const isItsBoot = (other: VolumeDescription) =>
    other.isBoot && !isSystemVolume(other) && diskOf(other) === diskOf(volume)
  return isSystemVolume(volume) && all.some((one) => isItsBoot(one.volume))
}

/** Device ids are compared without case and without the backslash at their end. */
function withoutEnd(deviceId: string): string {
  return deviceId.replace(/\\$/, '').toLowerCase()
}

/** Sets of earlier versions may name a partition at the end of a path. */
function isSameSource(one: BackupSource, other: BackupSource): boolean {
  const [first, second] = [apart(one), apart(other)]
  return first.path === second.path && first.partition === second.partition
}

function apart(source: BackupSource): BackupSource {
  const read = readSource(source, 'the source')
  return typeof read === 'string' ? source : read
}

function distinct(sources: readonly BackupSource[]): BackupSource[] {
  return sources.filter(
    (source, index) => sources.findIndex((other) => isSameSource(source, other)) === index,
  )
}
