import { withPartition } from '@palisade/agent-protocol'
import { isStorableText } from '@palisade/platform'
import { RequestInvalid } from '../envelope.ts'
import { readSource } from '../given-source.ts'
import { isSign } from '../machines/read-proof.ts'
import { destinationKind } from '../restore/destination-kind.ts'
import { defaultSchedule, scheduleProblems } from '../schedule/schedule.ts'
import { isTimeZone } from '../schedule/zoned-time.ts'
import type { NewSet, ProofSettings, SelectedVolume, SetDefinition } from './set-definition.ts'

/** Everything that a computer has and that can be backed up. */
export const allVolumes = '%All%'
/** The volumes that the system starts from. */
export const systemDrive = '%SystemDrive%'

const driveLetter = /^[A-Za-z]:\\?$/
const deviceId = /^\\\\\?\\Volume\{[0-9A-Fa-f-]+\}\\?$/

/**
 * What a backup set is to be, with its defaults filled in.
 *
 * @param set has the form of {@link NewSet}
 * @throws RequestInvalid naming everything that makes no sense
 */
export function readSet(set: NewSet): { readonly name: string; readonly definition: SetDefinition } {
  const { name, selection, exclusions = [], timeZone = 'UTC', settings = {} } = set
  const schedule = set.schedule ?? [...defaultSchedule]
  const hasAll = selection.some(isAll)
  const errors = [
    ...(isStorableText(name) && name.trim() !== '' ? [] : ['[name] is missing or invalid']),
    ...selectionProblems('selection', selection),
    ...selectionProblems('exclusions', exclusions),
    ...(isTimeZone(timeZone) ? [] : ['[timezone] is invalid: it must be a name such as Europe/Berlin']),
    ...scheduleProblems(schedule),
    ...proofProblems(settings.proof),
  ]
  if (errors.length > 0) throw new RequestInvalid(errors)
  return {
    name,
    definition: {
      selection: withPartitions(selection),
      exclusions: withPartitions(exclusions),
      useDynamicVolumeInclusion: set.useDynamicVolumeInclusion ?? hasAll,
      timeZone,
      schedule,
      settings,
    },
  }
}

function proofProblems({ folder, sign }: Partial<ProofSettings> = {}): string[] {
  const isFolder = folder === undefined || destinationKind(folder) === 'local'
  const errors = isFolder ? [] : ['[settings][proof][folder] is invalid: it must be a local folder']
  if (sign !== undefined && !isSign(sign))
    errors.push('[settings][proof][sign] is invalid: it must be one line')
  return errors
}

/** Whether this means all volumes. */
export function isAll(selected: SelectedVolume): boolean {
  return isNamed(selected, allVolumes)
}

/** Whether a text is one of the names with percent signs, which are compared without case. */
export function isNamed(selected: SelectedVolume, name: string): boolean {
  return typeof selected === 'string' && selected.toLowerCase() === name.toLowerCase()
}

function selectionProblems(member: 'selection' | 'exclusions', list: readonly SelectedVolume[]): string[] {
  return list.flatMap((selected, index) => {
    const field = `[${member}][${index}]`
    if (typeof selected !== 'string') {
      const source = readSource(selected, field)
      return typeof source === 'string' ? [source] : []
    }
    if (!isStorableText(selected)) return [`${field} is invalid`]
    return isVolumeName(selected)
      ? []
      : [
          `${field} is invalid: it must be a drive letter, a device id, ${systemDrive}, ${allVolumes} or an object with a path`,
        ]
  })
}

/** Sources with the numbers of their partitions apart. */
function withPartitions(list: readonly SelectedVolume[]): SelectedVolume[] {
  return list.map((selected) => (typeof selected === 'string' ? selected : withPartition(selected)))
}

function isVolumeName(text: string): boolean {
  return (
    driveLetter.test(text) || deviceId.test(text) || isNamed(text, allVolumes) || isNamed(text, systemDrive)
  )
}
