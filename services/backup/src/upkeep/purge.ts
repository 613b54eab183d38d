import {
  type AuditTables,
  type ClientCredentials,
  type Clock,
  type Log,
  type OperatorAuthority,
  type Store,
  withdrawAccount,
  writeAuditEntry,
} from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import type { Kysely } from 'kysely'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { Revisions } from '../revisions/revisions.ts'
import type { BackupTables } from '../tables.ts'
import type { Timers } from '../timers.ts'
import type { RevisionRemoval } from './revision-removal.ts'

/** After a start what was deleted before is left alone so long: an operator may have put an older database in place, and want to look. */
const leftAloneAfterStartMs = 15 * 60_000

/** The server itself, as the audit log names who did it. */
const server = { kind: 'system', name: 'palisade', address: null } as const

/**
 * Removes what deleted computers and accounts have, when they can be taken back no more:
 *
 *     1  one transaction, if it is still due: nobody can take the computer back from then on; its revisions are marked as deleted, and
 *        its sets, tasks and hosts go
 *     2  the vault lets the revisions go (revision-removal.ts), and the next collection frees their space
 *     3  when it has nothing of the computer any more, the row of the computer goes; and that of an account without computers
 *
 * A crash, or a vault that cannot do 2 now, leaves a computer that is begun with again.
 */
export class Purge {
  readonly #store: Store
  readonly #vault: Vault
  readonly #revisions: Revisions
  readonly #removal: RevisionRemoval
  readonly #credentials: ClientCredentials
  readonly #operators: OperatorAuthority
  readonly #timers: Timers
  readonly #clock: Clock
  readonly #agingClock: Clock
  readonly #log: Log
  #startedAt: number

  constructor(deps: {
    store: Store
    vault: Vault
    revisions: Revisions
    removal: RevisionRemoval
    credentials: ClientCredentials
    operators: OperatorAuthority
    timers: Timers
    clock: Clock
    /** What is due by the clock and not by this one stays: the clock may have been set wrong. */
    agingClock: Clock
    log: Log
  }) {
    this.#store = deps.store
    this.#vault = deps.vault
    this.#revisions = deps.revisions
    this.#removal = deps.removal
    this.#credentials = deps.credentials
    this.#operators = deps.operators
    this.#timers = deps.timers
    this.#clock = deps.clock
    this.#agingClock = deps.agingClock
    this.#log = deps.log
    this.#startedAt = deps.clock.now()
  }

  /** Removes all that is due. What cannot be removed now stays for the next time. */
  async removeDue(signal: AbortSignal): Promise<void> {
    const due = await this.#due()
    for (const computer of due) {
      signal.throwIfAborted()
      await this.#begin(computer)
    }
    if (due.length > 0) await this.#removal.finish(signal)
    for (const computer of due) {
      signal.throwIfAborted()
      try {
        await this.#end(computer)
      } catch (err) {
        this.#log.error({ err, computer: domainOf(computer) }, 'a deleted computer cannot be removed yet')
      }
    }
    if (due.length > 0) await this.#timers.setAtLatest('collect', '', this.#removal.collectionDueAt())
    await this.#removeAccounts()
  }

  #due(): Promise<ComputerId[]> {
    return this.#tables()
      .selectFrom('backup_computer')
      .select(['account_id as accountId', 'id as computerId'])
      .where('deleted_at', '>=', this.#deletedSince())
      .where(({ or, eb }) => or([eb('purging', '=', 1), eb('purge_at', '<=', this.#agingClock.now())]))
      .execute()
  }

  /** What was deleted earlier is left alone. */
  #deletedSince(): number {
    const now = this.#clock.now()
    // The clock may have been set back.
    this.#startedAt = Math.min(this.#startedAt, now)
    return now - this.#startedAt < leftAloneAfterStartMs ? this.#startedAt : 0
  }

  /** Step 1: nothing when the computer was taken back meanwhile. */
  async #begin(computer: ComputerId): Promise<void> {
    const { accountId, computerId } = computer
    const now = this.#clock.now()
    await this.#store.serializably(async ({ tables }) => {
      const db = tables<BackupTables>()
      const { numUpdatedRows } = await db
        .updateTable('backup_computer')
        .set({ purging: 1, credential_digest: null })
        .where('account_id', '=', accountId)
        .where('id', '=', computerId)
        .where('deleted_at', 'is not', null)
        .where(({ or, eb }) => or([eb('purging', '=', 1), eb('purge_at', '<=', this.#agingClock.now())]))
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      await db
        .updateTable('backup_revision')
        .set({ deleted_at: now })
        .where('account_id', '=', accountId)
        .where('computer_id', '=', computerId)
        .where('deleted_at', 'is', null)
        .execute()
      await removeBelongings(db, computer)
    })
  }

  /** Steps 2, for what is in the vault without a row, and 3. */
  async #end(computer: ComputerId): Promise<void> {
    if ((await this.#revisions.ids(computer)).size > 0) return
    const domain = domainOf(computer)
    for (const revision of await this.#vault.revisionIds(domain)) {
      // A configuration that was read meanwhile may have begun another computer of this name.
      if (!(await this.#isPurging(computer))) return
      await this.#vault.deleteRevision(domain, revision)
    }
    const { accountId, computerId } = computer
    const target = `/backup/accounts/${encodeURIComponent(accountId)}/computers/${encodeURIComponent(computerId)}`
    const isRemoved = await this.#store.serializably(async (transaction) => {
      const db = transaction.tables<BackupTables>()
      // Of what a crash has left to adopt meanwhile.
      const revision = await db
        .selectFrom('backup_revision')
        .select('id')
        .where('account_id', '=', accountId)
        .where('computer_id', '=', computerId)
        .limit(1)
        .executeTakeFirst()
      if (revision !== undefined) return false
      await removeBelongings(db, computer)
      const { numDeletedRows } = await db
        .deleteFrom('backup_computer')
        .where('account_id', '=', accountId)
        .where('id', '=', computerId)
        .where('purging', '=', 1)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return false
      await this.#note(transaction, 'purgeComputer', target)
      return true
    })
    if (isRemoved) this.#log.info({ computer: domain }, 'a deleted computer was removed with all it had')
  }

  async #isPurging({ accountId, computerId }: ComputerId): Promise<boolean> {
    const row = await this.#tables()
      .selectFrom('backup_computer')
      .select('purging')
      .where('account_id', '=', accountId)
      .where('id', '=', computerId)
      .executeTakeFirst()
    return row?.purging === 1
  }

  async #removeAccounts(): Promise<void> {
    const count = await this.#store.serializably(async (transaction) => {
      const db = transaction.tables<BackupTables>()
      const deletedAccounts = await db
        .deleteFrom('backup_account')
        .where('deleted_at', '>=', this.#deletedSince())
        .where('purge_at', '<=', this.#agingClock.now())
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('backup_computer')
                .select('backup_computer.id')
                .whereRef('backup_computer.account_id', '=', 'backup_account.id'),
            ),
          ),
        )
        .returning('id')
        .execute()
      for (const { id } of deletedAccounts) {
        const account = { service: 'backup', accountId: id }
        await withdrawAccount(transaction, account)
        await this.#operators.endGrants(transaction, account)
        await this.#note(transaction, 'purgeBackupAccount', `/backup/accounts/${encodeURIComponent(id)}`)
      }
      return deletedAccounts.length
    })
    if (count > 0) this.#credentials.forget()
  }

  #note(transaction: Pick<Store, 'tables'>, action: string, target: string): Promise<void> {
    const entry = { actor: server, service: 'backup', action, target, before: null, after: null }
    return writeAuditEntry(transaction.tables<AuditTables>(), entry, this.#clock.now())
  }

  #tables(): Kysely<BackupTables> {
    return this.#store.tables<BackupTables>()
  }
}

/** Removes what a computer has in the store besides its revisions. */
async function removeBelongings(
  db: Kysely<BackupTables>,
  { accountId, computerId }: ComputerId,
): Promise<void> {
  const sets = db
    .selectFrom('backup_set')
    .select('id')
    .where('account_id', '=', accountId)
    .where('computer_id', '=', computerId)
  await db.deleteFrom('backup_timer').where('subject', 'in', sets).execute()
  await db.deleteFrom('backup_timer').where('subject', '=', domainOf({ accountId, computerId })).execute()
  const tasks = db
    .selectFrom('backup_task')
    .select('id')
    .where('account_id', '=', accountId)
    .where('computer_id', '=', computerId)
  await db.deleteFrom('backup_screenshot').where('restore_id', 'in', tasks).execute()
  for (const table of [
    'backup_set',
    'backup_action',
    'backup_task',
    'backup_host',
    'backup_host_session',
  ] as const) {
    await db
      .deleteFrom(table)
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
      .execute()
  }
}
