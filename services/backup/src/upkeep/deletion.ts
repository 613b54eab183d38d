import { type Clock, RequestRefused, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { takeBack, takeBackWithAccount } from '../computers/take-back.ts'
import type { Sets } from '../sets/sets.ts'
import type { BackupTables } from '../tables.ts'
import type { Timers } from '../timers.ts'
import { type ComputerOrAccount, isOf, lossesOf, refusalOf, runningRestores } from './losses.ts'

/**
 * Deletes computers and accounts so that they can be taken back for a while:
 *
 *     1  deleted in the store: no agent is let in, no set runs, and whoever asks is told that there is no such computer;
 *        all that it has stays, its agent's credential too
 *     2  taken back in the store, until what it has begins to be removed (purge.ts)
 *
 * Each is one transaction. What is in memory of the agent and its tasks is ended afterwards by whoever has it.
 */
export class Deletion {
  readonly #sets: Sets
  readonly #timers: Timers
  readonly #clock: Clock
  readonly #graceMs: number

  constructor(deps: { sets: Sets; timers: Timers; clock: Clock; graceMs: number }) {
    this.#sets = deps.sets
    this.#timers = deps.timers
    this.#clock = deps.clock
    this.#graceMs = deps.graceMs
  }

  /** @throws RequestRefused conflict while a restore of the computer runs, and when it is deleted already */
  async deleteComputer(tables: Kysely<BackupTables>, whose: Required<ComputerOrAccount>): Promise<void> {
    const count = await this.#delete(tables, whose, 0)
    if (count === 0n) throw new RequestRefused('conflict', 'This computer is deleted already.')
    await this.#timers.setAtLatest('purge', '', this.#deletedNow().purge_at, tables)
  }

  /**
   * Deletes an account with all of its computers.
   *
   * @throws RequestRefused conflict while a restore of one of its computers runs, and when it is deleted already
   */
  async deleteAccount(tables: Kysely<BackupTables>, accountId: string): Promise<void> {
    const deleted = this.#deletedNow()
    const { numUpdatedRows } = await tables
      .updateTable('backup_account')
      .set(deleted)
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new RequestRefused('conflict', 'This account is deleted already.')
    await this.#delete(tables, { accountId }, 1)
    await this.#timers.setAtLatest('purge', '', deleted.purge_at, tables)
  }

  /** @throws RequestRefused conflict when the computer is not deleted, what it has is being removed, or its account is deleted */
  async undeleteComputer(tables: Kysely<BackupTables>, whose: Required<ComputerOrAccount>): Promise<void> {
    const row = await tables
      .selectFrom('backup_computer')
      .innerJoin('backup_account', 'backup_account.id', 'backup_computer.account_id')
      .select(['backup_computer.deleted_at', 'purging', 'backup_account.deleted_at as account_deleted_at'])
      .where('account_id', '=', whose.accountId)
      .where('backup_computer.id', '=', whose.computerId)
      .executeTakeFirst()
    if (row?.deleted_at === null) throw new RequestRefused('conflict', 'This computer is not deleted.')
    if (row?.purging === 1) {
      throw new RequestRefused('conflict', 'It is too late: what this computer has is being removed.')
    }
    if (row?.account_deleted_at !== null) {
      throw new RequestRefused('conflict', 'The account of this computer is deleted: take that back first.')
    }
    await takeBack(tables, whose)
    await this.#sets.resume(tables, whose)
  }

  /**
   * Takes an account back, with the computers that were deleted with it.
   *
   * @throws RequestRefused conflict when it is not deleted
   */
  async undeleteAccount(tables: Kysely<BackupTables>, accountId: string): Promise<void> {
    const { numUpdatedRows } = await tables
      .updateTable('backup_account')
      .set({ deleted_at: null, purge_at: null })
      .where('id', '=', accountId)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new RequestRefused('conflict', 'This account is not deleted.')
    if ((await takeBackWithAccount(tables, accountId)) > 0n) await this.#sets.resume(tables, { accountId })
  }

  /** What goes with a computer or account, and when, in sentences. */
  losses(tables: Pick<Store, 'tables'>, whose: ComputerOrAccount): Promise<string[]> {
    return lossesOf(tables, whose, { atMs: this.#clock.now(), graceMs: this.#graceMs })
  }

  async #delete(tables: Kysely<BackupTables>, whose: ComputerOrAccount, withAccount: 0 | 1): Promise<bigint> {
    const [running] = await runningRestores(tables, whose)
    if (running) throw new RequestRefused('conflict', refusalOf(running))
    const deleted = this.#deletedNow()
    const { accountId, computerId } = whose
    const { numUpdatedRows } = await tables
      .updateTable('backup_computer')
      .set({ ...deleted, deleted_with_account: withAccount })
      .where('account_id', '=', accountId)
      .$if(computerId !== undefined, (computers) => computers.where('id', '=', computerId ?? ''))
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    const now = deleted.deleted_at
    await tables
      .updateTable('backup_task')
      .set({ state: 'CANCELED', sealed_credentials: null, ended_at: now })
      .where(isOf(whose))
      .where('ended_at', 'is', null)
      .execute()
    await tables
      .updateTable('backup_action')
      .set({ state: 'ERROR', reason: 'the computer was deleted', ended_at: now })
      .where(isOf(whose))
      .where('ended_at', 'is', null)
      .execute()
    return numUpdatedRows
  }

  #deletedNow() {
    const now = this.#clock.now()
    return { deleted_at: now, purge_at: now + this.#graceMs }
  }
}
