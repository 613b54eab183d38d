import type { TrackingSettings } from '../tracking/kept-record.ts'
import { ownDisks, type VolumeChoice } from '../volumes/choice.ts'

/** What the operator of this machine has said about its backups. */
export interface BackupSettings {
  /** Read all of every volume, also what its file system does not use. */
  readonly wholeVolumes: boolean
  /** How many bytes a second go to the server at most, all threads together; undefined: as many as can. */
  readonly bytesPerSecondMax: number | undefined
  /** Whether snapshots are taken where the machine can. */
  readonly takesSnapshots: boolean
  /** Whether copies of images are kept, so that the next backup reads only what was changed; undefined: they are not. */
  readonly tracking: TrackingSettings | undefined
  /** What may be read: backed up, offered for that, and compared. */
  readonly volumes: VolumeChoice
}

/** The settings of an agent without options. */
export const defaultBackupSettings: BackupSettings = {
  wholeVolumes: false,
  bytesPerSecondMax: undefined,
  takesSnapshots: true,
  tracking: undefined,
  volumes: ownDisks,
}
