import { RequestRefused } from '@palisade/platform'
import type { BackupSession, Vault } from '@palisade/vault'
import { type ComputerId, domainOf } from '../computer-id.ts'

/**
 * The vault's sessions of the backups under way. They live in memory: a session remembers which chunks its agent
 * was promised, and none of that survives a restart. The agent is told so once, by 409, and names all its chunks
 * anew in a new session; what had become durable is not sent twice.
 */
export class BackupSessions {
  readonly #vault: Vault
  readonly #sessions = new Map<string, Promise<BackupSession>>()

  constructor(vault: Vault) {
    this.#vault = vault
  }

  /** The agent is about to begin this backup. */
  begin(computer: ComputerId, backupId: string): Promise<BackupSession> {
    const session = this.#sessions.get(backupId)
    if (session) return session
    const opening = this.#vault.beginBackup(domainOf(computer))
    this.#sessions.set(backupId, opening)
    opening.catch(() => this.#sessions.delete(backupId))
    return opening
  }

  /**
   * The session of a backup under way.
   *
   * @throws RequestRefused conflict when there is none; the next call finds a new one
   */
  async require(computer: ComputerId, backupId: string): Promise<BackupSession> {
    const session = this.#sessions.get(backupId)
    if (session) return session
    await this.begin(computer, backupId)
    throw new RequestRefused('conflict', 'The server was restarted meanwhile: begin this backup anew.')
  }

  /** The backup has ended, however it ended. */
  async end(backupId: string): Promise<void> {
    const session = this.#sessions.get(backupId)
    if (!session) return
    this.#sessions.delete(backupId)
    await (await session).abort()
  }
}
