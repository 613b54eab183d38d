import { randomUUID } from 'node:crypto'
import type { Clock, Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { ComputerId } from '../computer-id.ts'
import type { BackupTables } from '../tables.ts'
import { isGuid } from './guid.ts'
import type { HostSession } from './host.ts'

/** A session ends when it was not used for so long … */
const idleMaxMs = 60 * 60_000
/** … and is shown as expired for so long after that. */
const rememberMs = 24 * 60 * 60_000
/** So many a computer has; the next one takes the place of the oldest. Whoever may only read begins them too. */
const sessionsMax = 100

/** Browsing sessions on hosts. They hold nothing but that somebody is choosing one. */
export class HostSessions {
  readonly #tables: Kysely<BackupTables>
  readonly #clock: Clock

  constructor(deps: { store: Store; clock: Clock }) {
    this.#tables = deps.store.tables<BackupTables>()
    this.#clock = deps.clock
  }

  /** Begins a session, and forgets those that ended long ago and those that are too many. */
  async create({ accountId, computerId }: ComputerId): Promise<HostSession> {
    const now = this.#clock.now()
    await this.#tables
      .deleteFrom('backup_host_session')
      .where('expires_at', '<', now - rememberMs)
      .execute()
    const session = { id: randomUUID(), createdAt: now, expiresAt: now + idleMaxMs }
    await this.#tables
      .insertInto('backup_host_session')
      .values({
        id: session.id,
        account_id: accountId,
        computer_id: computerId,
        created_at: session.createdAt,
        expires_at: session.expiresAt,
      })
      .execute()
    await this.#makeRoom({ accountId, computerId }, session.id)
    return session
  }

  /** Ends those that were not used for longest where there are too many beside this one. */
  async #makeRoom({ accountId, computerId }: ComputerId, newId: string): Promise<void> {
    const oldest = await this.#tables
      .selectFrom('backup_host_session')
      .select('id')
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
      .where('id', '!=', newId)
      .orderBy('expires_at', 'desc')
      .offset(sessionsMax - 1)
      .limit(sessionsMax)
      .execute()
    if (oldest.length === 0) return
    const ids = oldest.map(({ id }) => id)
    await this.#tables.deleteFrom('backup_host_session').where('id', 'in', ids).execute()
  }

  /** A session of the computer, expired or not; looking at it is no use of it. */
  async find({ accountId, computerId }: ComputerId, id: string): Promise<HostSession | undefined> {
    if (!isGuid(id)) return undefined
    const row = await this.#tables
      .selectFrom('backup_host_session')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
      .where('id', '=', id.toLowerCase())
      .executeTakeFirst()
    return row && { id: row.id, createdAt: row.created_at, expiresAt: row.expires_at }
  }

  /** Uses a session: it lasts longer then. @returns whether there is one that has not expired */
  async use(computer: ComputerId, id: string): Promise<boolean> {
    const session = await this.find(computer, id)
    if (!session || this.isExpired(session)) return false
    await this.#tables
      .updateTable('backup_host_session')
      .set({ expires_at: this.#clock.now() + idleMaxMs })
      .where('id', '=', session.id)
      .execute()
    return true
  }

  isExpired({ expiresAt }: HostSession): boolean {
    return expiresAt <= this.#clock.now()
  }
}
