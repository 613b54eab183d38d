import type { DiscoverySettings } from '../volumes/discover.ts'

/** What the operator of this machine has said about its backups. */
export interface BackupSettings {
  /** Read all of every volume, also what its file system does not use. */
  readonly wholeVolumes: boolean
  /** How many bytes a second go to the server at most, all threads together; undefined: as many as can. */
  readonly bytesPerSecondMax: number | undefined
  /** Whether snapshots are taken where the machine can. */
  readonly takesSnapshots: boolean
  /** Which volumes are offered to the server, and may be backed up. */
  readonly volumes: DiscoverySettings
}

export const defaultBackupSettings: BackupSettings = {
  wholeVolumes: false,
  bytesPerSecondMax: undefined,
  takesSnapshots: true,
  volumes: { images: [], include: [], exclude: [] },
}
