/** A backup has to start again: the server was restarted and no longer knows of it, or does not take what it was to be made of. */
export class BackupRestartNeeded extends Error {
  override readonly name = 'BackupRestartNeeded'
}
