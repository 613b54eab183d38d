/** A backup that lies in the folder, or in the database. */
export interface BackupFile {
  readonly filename: string
  readonly sizeBytes: number
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number
}

/** What backups are called; nothing else in the folder is looked at, and nothing outside of it. */
export const backupName = /^configuration-[A-Za-z0-9._-]{1,100}\.backup$/

/** Larger files are no backups of ours. */
export const sizeMaxBytes = 256 * 1024 * 1024
