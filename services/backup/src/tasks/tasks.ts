import { randomUUID } from 'node:crypto'
import type { MessageOrigin, Outcome, ServedDisks } from '@palisade/agent-protocol'
import { type Clock, currentOrigin, isStorableText, RequestRefused, type Store } from '@palisade/platform'
import type { Kysely, Transaction } from 'kysely'
import type { ComputerId } from '../computer-id.ts'
import { lockComputer } from '../computers/lock-computer.ts'
import type { Part } from '../part.ts'
import type { BackupTables, TaskKind, TaskRow } from '../tables.ts'
import { outcomeColumns } from './outcome-columns.ts'
import {
  type BackupRecord,
  type BackupRequest,
  type Progress,
  type RestoreRecord,
  type RestoreRequest,
  servedFormat,
} from './task.ts'
import { backupOf, recordOf, restoreOf } from './task-record.ts'

/** What a task is called before its agent has named a step. */
const firstStep = 'starting'
/** One that runs and one behind it, which reads the source after whatever has changed since. A third would do the same again. */
const unfinishedOfSourceMax = 2
/** A computer has fewer volumes, and a restore may have several revisions. */
const unfinishedMax = 64

/** Backups and restores in the store. */
export class Tasks {
  readonly #tables: Kysely<BackupTables>
  readonly #clock: Clock

  constructor(deps: { store: Store; clock: Clock }) {
    this.#tables = deps.store.tables<BackupTables>()
    this.#clock = deps.clock
  }

  /**
   * Enters a backup that belongs to no run of a set.
   *
   * @throws RequestRefused conflict when enough backups of the source, or of the computer, have not ended
   */
  async startBackup(computer: ComputerId, request: BackupRequest): Promise<BackupRecord> {
    const row = this.#newRow('backup', computer, request)
    return this.#tables.transaction().execute(async (transaction) => {
      await lockComputer(transaction, computer)
      const unfinished = await this.#unfinishedOf(computer, 'backup', transaction)
      const ofSource = unfinished.filter((other) => other.request === row.request)
      if (ofSource.length >= unfinishedOfSourceMax) throw tooMany(ofSource, 'backups of this source')
      if (unfinished.length >= unfinishedMax) throw tooMany(unfinished, 'backups of this computer')
      await transaction.insertInto('backup_task').values(row).execute()
      return backupOf(row)
    })
  }

  /**
   * Enters the backups of one run of a backup set, in the transaction that begins the run.
   *
   * @returns what the agent is to be told when that is through
   */
  async startRun(
    transaction: Transaction<BackupTables>,
    computer: ComputerId,
    actionId: number,
    requests: readonly BackupRequest[],
  ): Promise<BackupRecord[]> {
    const rows = requests.map((request) => ({
      ...this.#newRow('backup', computer, request),
      action_id: actionId,
    }))
    await transaction.insertInto('backup_task').values(rows).execute()
    return rows.map(backupOf)
  }

  /** The backups of a run, in the order of their ids. */
  async ofAction(actionId: number): Promise<BackupRecord[]> {
    const rows = await this.#tables
      .selectFrom('backup_task')
      .selectAll()
      .where('action_id', '=', actionId)
      .orderBy('id')
      .execute()
    return rows.map(backupOf)
  }

  /** The run that a backup is a part of. */
  async actionOf(id: string): Promise<number | null> {
    if (!isStorableText(id)) return null
    const row = await this.#tables
      .selectFrom('backup_task')
      .select('action_id')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.action_id ?? null
  }

  /** The revisions that unfinished restores of a computer read. Also within a transaction. */
  async revisionsBeingRestored(
    computer: ComputerId,
    tables: Kysely<BackupTables> = this.#tables,
  ): Promise<Set<number>> {
    const rows = await this.#ofComputer(computer, tables)
      .where('kind', '=', 'restore')
      .where('ended_at', 'is', null)
      .execute()
    return new Set(
      rows.map(restoreOf).flatMap(({ request }) => request.revisions.map(({ revisionId }) => revisionId)),
    )
  }

  /**
   * Enters a restore, unless revisions of it were deleted since they were chosen. From then on they are not deleted.
   *
   * @param more.id chosen by the caller, whose sealed credentials are bound to it
   * @throws RequestRefused conflict when enough restores of the computer have not ended
   */
  async startRestore(
    computer: ComputerId,
    request: RestoreRequest,
    more: { readonly id: string; readonly sealedCredentials: string | null },
  ): Promise<RestoreRecord | { readonly deleted: readonly number[] }> {
    const row = {
      ...this.#newRow('restore', computer, request),
      id: more.id,
      bytes_total: request.revisions.reduce((sum, { volume }) => sum + volume.capacityBytes, 0),
      sealed_credentials: more.sealedCredentials,
    }
    const ids = request.revisions.map(({ revisionId }) => revisionId)
    return this.#tables.transaction().execute(async (transaction) => {
      await lockComputer(transaction, computer)
      const unfinished = await this.#unfinishedOf(computer, 'restore', transaction)
      if (unfinished.length >= unfinishedMax) throw tooMany(unfinished, 'restores of this computer')
      const rows = await transaction
        .selectFrom('backup_revision')
        .select('id')
        .where('id', 'in', ids)
        .where('deleted_at', 'is', null)
        .execute()
      const existingIds = new Set(rows.map(({ id }) => id))
      const deleted = ids.filter((id) => !existingIds.has(id))
      if (deleted.length > 0) return { deleted }
      await transaction.insertInto('backup_task').values(row).execute()
      return restoreOf(row)
    })
  }

  async findBackup(computer: ComputerId, id: string): Promise<BackupRecord | undefined> {
    const row = await this.#find(computer, 'backup', id)
    return row && backupOf(row)
  }

  async findRestore(computer: ComputerId, id: string): Promise<RestoreRecord | undefined> {
    const row = await this.#find(computer, 'restore', id)
    return row && restoreOf(row)
  }

  /** The request that a task comes of; null where it comes of none, or there is no such task. */
  async originOf(computer: ComputerId, kind: TaskKind, id: string): Promise<MessageOrigin | null> {
    const row = await this.#find(computer, kind, id)
    return row ? recordOf(row).origin : null
  }

  async isUnfinished(computer: ComputerId, kind: TaskKind, id: string): Promise<boolean> {
    const row = await this.#find(computer, kind, id)
    return row?.ended_at === null
  }

  /** A part of the computer's backups, newest first. */
  async backups(computer: ComputerId, part: Part): Promise<BackupRecord[]> {
    return (await this.#newest(computer, 'backup', part)).map(backupOf)
  }

  /** A part of the computer's restores, newest first. */
  async restores(computer: ComputerId, part: Part): Promise<RestoreRecord[]> {
    return (await this.#newest(computer, 'restore', part)).map(restoreOf)
  }

  /** What the computer's agent still has to do, oldest first. */
  async unfinished(computer: ComputerId): Promise<(BackupRecord | RestoreRecord)[]> {
    const rows = await this.#ofComputer(computer)
      .where('ended_at', 'is', null)
      .orderBy('started_at')
      .orderBy('id')
      .execute()
    return rows.map(recordOf)
  }

  /** Wishes the end of a task. One that has ended stays as it is. */
  async requestCancel(
    computer: ComputerId,
    kind: TaskKind,
    id: string,
  ): Promise<'unknown' | 'ended' | { readonly [When in 'before' | 'after']: Pick<TaskRow, 'id' | 'state'> }> {
    const row = await this.#find(computer, kind, id)
    if (!row) return 'unknown'
    const state = 'CANCELING'
    const { numUpdatedRows } = await this.#unfinished(id).set({ state }).executeTakeFirst()
    if (numUpdatedRows === 0n) return 'ended'
    return { before: { id, state: row.state }, after: { id, state } }
  }

  /**
   * Ends a task as its agent says. A backup that claims success without a revision has failed, and so has a proof without a
   * verdict. Forgets the credentials of a share.
   *
   * @param progress what was heard last
   * @returns whether it was this call that ended the task
   */
  async finish(
    computer: ComputerId,
    kind: TaskKind,
    id: string,
    outcome: Outcome,
    progress: Progress | undefined,
  ): Promise<boolean> {
    const row = await this.#find(computer, kind, id)
    if (!row || row.ended_at !== null) return false
    const lastProgress = progress ? progressColumns(progress) : {}
    const { numUpdatedRows } = await this.#unfinished(id)
      .set({
        ...lastProgress,
        ...outcomeColumns({ ...row, ...lastProgress }, outcome),
        sealed_credentials: null,
        ended_at: this.#clock.now(),
      })
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** The disks of an unfinished restore can be read. What is said of another, or of one that writes disks, is passed over. */
  async noteServed(computer: ComputerId, id: string, served: ServedDisks): Promise<void> {
    const restore = await this.findRestore(computer, id)
    if (restore?.request.diskFormat !== servedFormat) return
    await this.#unfinished(id)
      .set({ served: JSON.stringify(served) })
      .execute()
  }

  /** The machine that a restore made is gone, with its disks. */
  async forgetMachine(id: string): Promise<void> {
    await this.#tables
      .updateTable('backup_task')
      .set({ machine: null, files: '[]' })
      .where('id', '=', id)
      .execute()
  }

  async saveProgress(progressById: ReadonlyMap<string, Progress>): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      for (const [id, progress] of progressById) {
        await transaction
          .updateTable('backup_task')
          .set(progressColumns(progress))
          .where('id', '=', id)
          .where('ended_at', 'is', null)
          .execute()
      }
    })
  }

  /** What has not ended and was started by itself. */
  #unfinishedOf(computer: ComputerId, kind: TaskKind, tables: Kysely<BackupTables>): Promise<TaskRow[]> {
    return this.#ofComputer(computer, tables)
      .where('kind', '=', kind)
      .where('ended_at', 'is', null)
      .where('action_id', 'is', null)
      .orderBy('started_at')
      .execute()
  }

  #newRow(kind: TaskKind, { accountId, computerId }: ComputerId, request: object): TaskRow {
    const origin = currentOrigin()
    return {
      id: randomUUID(),
      kind,
      account_id: accountId,
      computer_id: computerId,
      state: 'RUNNING',
      step: firstStep,
      bytes_done: 0,
      bytes_total: 0,
      request: JSON.stringify(request),
      sealed_credentials: null,
      revision_id: null,
      files: null,
      machine: null,
      proof: null,
      served: null,
      error_code: null,
      error_message: null,
      started_at: this.#clock.now(),
      ended_at: null,
      action_id: null,
      origin: origin === undefined ? null : JSON.stringify(origin),
    }
  }

  async #find(computer: ComputerId, kind: TaskKind, id: string): Promise<TaskRow | undefined> {
    if (!isStorableText(id)) return undefined
    return this.#ofComputer(computer).where('kind', '=', kind).where('id', '=', id).executeTakeFirst()
  }

  #newest(computer: ComputerId, kind: TaskKind, { offset, limit }: Part): Promise<TaskRow[]> {
    return this.#ofComputer(computer)
      .where('kind', '=', kind)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute()
  }

  #ofComputer({ accountId, computerId }: ComputerId, tables: Kysely<BackupTables> = this.#tables) {
    return tables
      .selectFrom('backup_task')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
  }

  #unfinished(id: string) {
    return this.#tables.updateTable('backup_task').where('id', '=', id).where('ended_at', 'is', null)
  }
}

function tooMany(unfinished: readonly TaskRow[], what: string): RequestRefused {
  const [first] = unfinished
  return new RequestRefused(
    'conflict',
    `${unfinished.length} ${what} have not ended, such as ${first?.id}: wait for one of them, or cancel it.`,
  )
}

function progressColumns({ step, bytesDone, bytesTotal }: Progress) {
  return { step, bytes_done: bytesDone, bytes_total: bytesTotal }
}
