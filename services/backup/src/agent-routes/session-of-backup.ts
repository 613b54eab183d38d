import { RequestRefused } from '@palisade/platform'
import type { BackupSession } from '@palisade/vault'
import type { ComputerId } from '../computer-id.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { BackupSessions } from '../vault/backup-sessions.ts'

/** @throws RequestRefused not-found when the backup is not this computer's, or has ended; conflict when the agent is to begin it anew */
export async function sessionOfBackup(
  { tasks, sessions }: { readonly tasks: Tasks; readonly sessions: BackupSessions },
  computer: ComputerId,
  id: string,
): Promise<BackupSession> {
  const backup = await tasks.findBackup(computer, id)
  if (!backup || backup.endedAt !== null) {
    throw new RequestRefused('not-found', 'There is no such unfinished backup.')
  }
  return sessions.require(computer, backup.id)
}
