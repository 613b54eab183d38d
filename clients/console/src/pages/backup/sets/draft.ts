import type { BackupSchemas } from '@palisade/sdk'
import type { BackupSet } from '../data.ts'

type Schemas = BackupSchemas['schemas']
/** What the server takes for a new set, and for a changed one. */
export type NewSet = Schemas['NewBackupSet']
/** One rule of a schedule, on the clock of the set's time zone. */
export type ScheduleItem = Schemas['ScheduleItem']
/** How many revisions of each volume stay: the last ones, and the newest of so many days, weeks and months. */
export type Retention = Schemas['Retention']
type Selected = NewSet['selection'][number]

/** What the form of a set holds while it is filled in. Numbers are as they were typed; empty where nothing is said. */
export interface Draft {
  readonly name: string
  /** Every volume that the computer has when the set runs, or those of `selection`. */
  readonly isEverything: boolean
  readonly selection: readonly Selected[]
  readonly exclusions: readonly Selected[]
  readonly timeZone: string
  readonly schedule: readonly ScheduleItem[]
  readonly keep: Readonly<Record<keyof Retention, string>>
  readonly verifyAfterBackup: boolean
  readonly verifyEveryDays: string
  readonly proveEveryDays: string
  readonly hostId: string
  readonly proveSign: string
  /** What the form does not show and leaves as it is. */
  readonly settings: Schemas['BackupSetSettings']
  readonly useDynamicVolumeInclusion: boolean
}

/** Stands for every volume. */
const everything = '%All%'

/** What is kept, in the order in which it is asked for. */
export const retentionMembers = ['keepLast', 'keepDaily', 'keepWeekly', 'keepMonthly'] as const

/** What a set is that nobody has changed yet: everything, each night, kept as most would. */
export function newDraft(name: string): Draft {
  return {
    name,
    isEverything: true,
    selection: [],
    exclusions: [],
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    schedule: [{ type: 'daily', hour: 23, minute: 0 }],
    keep: { keepLast: '3', keepDaily: '7', keepWeekly: '4', keepMonthly: '12' },
    verifyAfterBackup: false,
    verifyEveryDays: '30',
    proveEveryDays: '',
    hostId: '',
    proveSign: '',
    settings: {},
    useDynamicVolumeInclusion: true,
  }
}

/** A set as the form shows it. */
export function draftOf(set: BackupSet): Draft {
  const { name, selection, exclusions, timeZone, schedule, settings, useDynamicVolumeInclusion } = set
  const { retention, verification, proof } = settings
  const isEverything = selection.includes(everything)
  return {
    name,
    isEverything,
    selection: isEverything ? [] : selection,
    exclusions,
    timeZone,
    schedule,
    keep: {
      keepLast: typed(retention?.keepLast),
      keepDaily: typed(retention?.keepDaily),
      keepWeekly: typed(retention?.keepWeekly),
      keepMonthly: typed(retention?.keepMonthly),
    },
    verifyAfterBackup: verification?.afterBackup ?? false,
    verifyEveryDays: typed(verification?.everyDays),
    proveEveryDays: typed(proof?.everyDays),
    hostId: typed(proof?.hostId),
    proveSign: proof?.sign ?? '',
    settings,
    useDynamicVolumeInclusion,
  }
}

/** What the service is asked to make of a draft. */
export function definitionOf(draft: Draft): NewSet {
  const { name, isEverything, selection, exclusions, timeZone, schedule, settings } = draft
  const { verifyAfterBackup, verifyEveryDays, proveEveryDays, hostId, proveSign } = draft
  const { retention: _retention, verification, proof, ...others } = settings
  const retention = retentionOf(draft)
  const everyDays = numberOf(verifyEveryDays)
  const verifies = verifyAfterBackup || everyDays !== undefined
  const proves = numberOf(proveEveryDays)
  const { sign: _sign, ...ofProof } = proof ?? {}
  const { everyDays: _everyDays, ...ofVerification } = verification ?? {}
  return {
    name,
    type: 'Disk_Image',
    selection: isEverything ? [everything] : [...selection],
    exclusions: isEverything ? [...exclusions] : [],
    useDynamicVolumeInclusion: draft.useDynamicVolumeInclusion,
    timeZone,
    schedule: [...schedule],
    settings: {
      ...others,
      ...(retention === undefined ? {} : { retention }),
      ...(verifies
        ? {
            verification: {
              ...ofVerification,
              afterBackup: verifyAfterBackup,
              ...(everyDays === undefined ? {} : { everyDays }),
            },
          }
        : {}),
      ...(proves === undefined
        ? {}
        : {
            proof: {
              ...ofProof,
              everyDays: proves,
              hostId: Number(hostId),
              ...(proveSign.trim() === '' ? {} : { sign: proveSign.trim() }),
            },
          }),
    },
  }
}

/** What of the revisions is kept; undefined when all are. */
export function retentionOf({ keep }: Pick<Draft, 'keep'>): Retention | undefined {
  const keepLast = numberOf(keep.keepLast)
  if (keepLast === undefined) return undefined
  const others = Object.fromEntries(
    retentionMembers.flatMap((member) => {
      const count = numberOf(keep[member])
      return count === undefined ? [] : [[member, count]]
    }),
  )
  return { ...others, keepLast }
}

/** A selection as people write it, one a line: a drive letter, a path, or PATH#2 for partition 2. */
export function selectedOf(line: string): Selected {
  const [, path, partition] = /^(\/.*?)(?:#(\d+))?$/.exec(line) ?? []
  if (path === undefined) return line
  return partition === undefined ? { path } : { path, partition: Number(partition) }
}

function typed(number: number | undefined): string {
  return number === undefined ? '' : String(number)
}

function numberOf(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}
