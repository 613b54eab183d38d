/** What the operator of this machine has said about its backups. */
export interface BackupSettings {
  /** Read all of every volume, also what its file system does not use. */
  readonly wholeVolumes: boolean
}

export const defaultBackupSettings: BackupSettings = { wholeVolumes: false }
