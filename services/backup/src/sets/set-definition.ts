import { BackupSource } from '@palisade/agent-protocol'
import { type Static, Type } from 'typebox'
import { GivenSource } from '../given-source.ts'
import { proveSignLength, proveTimeoutSeconds } from '../machines/read-proof.ts'
import { ScheduleItem } from '../schedule/schedule.ts'

const volumeName = Type.String({ minLength: 1, maxLength: 1024 })

/**
 * A volume of the computer: a drive letter, a device id, `%SystemDrive%` or `%All%` (reference, section 2.7), or a
 * source as a backup is started with, which need not be discovered.
 */
export const SelectedVolume = Type.Union([volumeName, BackupSource])
export type SelectedVolume = Static<typeof SelectedVolume>

/** As a caller names it. */
const GivenSelected = Type.Union([volumeName, GivenSource])

const count = Type.Integer({ minimum: 0, maximum: 10_000 })

/** How many revisions of each volume are kept: the newest of so many days, weeks, months, and the last ones. */
export const Retention = Type.Object(
  {
    keepLast: Type.Integer({ minimum: 1, maximum: 10_000 }),
    keepDaily: Type.Optional(count),
    keepWeekly: Type.Optional(count),
    keepMonthly: Type.Optional(count),
  },
  { additionalProperties: false, title: 'Retention' },
)
export type Retention = Static<typeof Retention>

/** When chunks of the set's revisions are read, opened and compared with their names. */
export const Verification = Type.Object(
  {
    /** Each new revision, once its run has ended. */
    afterBackup: Type.Optional(Type.Boolean()),
    /** All revisions, so often. */
    everyDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
    /** A random part of the chunks; all of them by default. */
    samplePercent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false, title: 'VerificationSettings' },
)
export type Verification = Static<typeof Verification>

/** When it is proved that a machine of the set's newest revisions starts. */
export const ProofSettings = Type.Object(
  {
    everyDays: Type.Integer({ minimum: 1, maximum: 366 }),
    /** A registered host; see `machines/`. */
    hostId: Type.Integer(),
    /** Where its disks are meanwhile, a local folder; the place that the host offers by default. */
    folder: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    /** How long the system may take; ten minutes by default. */
    timeoutSeconds: Type.Optional(Type.Integer(proveTimeoutSeconds)),
    /** What else the machine says when its system runs, word for word. */
    sign: Type.Optional(Type.String(proveSignLength)),
  },
  { additionalProperties: false, title: 'ProofSettings' },
)
export type ProofSettings = Static<typeof ProofSettings>

/** What happens to the revisions of a set after its runs. What is left out does not happen. */
export const SetSettings = Type.Object(
  {
    retention: Type.Optional(Retention),
    verification: Type.Optional(Verification),
    proof: Type.Optional(ProofSettings),
  },
  { additionalProperties: false, title: 'BackupSetSettings' },
)

/** What a backup set is made with. Names are those of the reference, section 2.7; settings are ours. */
export const NewSet = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    type: Type.Literal('Disk_Image'),
    selection: Type.Array(GivenSelected, { minItems: 1, maxItems: 256 }),
    exclusions: Type.Optional(Type.Array(GivenSelected, { maxItems: 256 })),
    useDynamicVolumeInclusion: Type.Optional(Type.Boolean()),
    timeZone: Type.Optional(Type.String()),
    schedule: Type.Optional(Type.Array(ScheduleItem, { minItems: 1, maxItems: 100 })),
    settings: Type.Optional(SetSettings),
  },
  {
    additionalProperties: false,
    title: 'NewBackupSet',
    examples: [{ name: 'every night', type: 'Disk_Image', selection: ['%All%'] }],
  },
)
export type NewSet = Static<typeof NewSet>

/** All of it, with every default filled in, as it is stored. */
export const SetDefinition = Type.Object({
  selection: Type.Array(SelectedVolume),
  exclusions: Type.Array(SelectedVolume),
  /** Whether `%All%` means what there is at each run; else what there was at the first. */
  useDynamicVolumeInclusion: Type.Boolean(),
  timeZone: Type.String(),
  schedule: Type.Array(ScheduleItem),
  settings: SetSettings,
})
export type SetDefinition = Static<typeof SetDefinition>
