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

/** How much is left to what is known of changes. */
export interface TrackingSettings {
  /** Every so often a backup reads everything and checks what was known; from 1, which is each time. */
  readonly fullReadEvery: number
}

export const defaultBackupSettings: BackupSettings = {
  wholeVolumes: false,
  bytesPerSecondMax: undefined,
  takesSnapshots: true,
  tracking: undefined,
  volumes: ownDisks,
}
