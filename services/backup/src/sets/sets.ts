import { randomUUID } from 'node:crypto'
import { type Clock, isDuplicate, isStorableText, LazyValidator, type Store } from '@palisade/platform'
import type { Kysely, Transaction } from 'kysely'
import type { ComputerId } from '../computer-id.ts'
import { RequestInvalid } from '../envelope.ts'
import { nextRun } from '../schedule/next-run.ts'
import { parseStored } from '../stored-json.ts'
import type { BackupTables, SetRow } from '../tables.ts'
import type { Timers } from '../timers.ts'
import { SetDefinition } from './set-definition.ts'

/** A backup set as the store knows it. */
export interface BackupSet extends ComputerId {
  /** Random, not counted: revisions name their set, and a database that was made anew must not give them another. */
  readonly id: string
  readonly name: string
  /** Whether its schedule counts. */
  readonly enabled: boolean
  readonly definition: SetDefinition
  /** What may stand against it, as far as anybody knows; null when nothing is known that does. */
  readonly warning: string | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

const definitions = new LazyValidator(SetDefinition)
const dayMs = 86_400_000

/** The backup sets in the store, and the timers that run them. */
export class Sets {
  readonly #tables: Kysely<BackupTables>
  readonly #characterOrder: Store['characterOrder']
  readonly #clock: Clock
  readonly #timers: Timers

  constructor(deps: { store: Store; clock: Clock; timers: Timers }) {
    this.#tables = deps.store.tables<BackupTables>()
    this.#characterOrder = deps.store.characterOrder
    this.#clock = deps.clock
    this.#timers = deps.timers
  }

  /** @throws RequestInvalid when the computer has another set of this name */
  async create(
    computer: ComputerId,
    { name, definition, warning }: Pick<BackupSet, 'name' | 'definition' | 'warning'>,
  ): Promise<BackupSet> {
    const set: BackupSet = {
      id: randomUUID(),
      accountId: computer.accountId,
      computerId: computer.computerId,
      name,
      enabled: true,
      definition,
      warning,
      createdAt: this.#clock.now(),
    }
    await this.#changing(async (transaction) => {
      await transaction.insertInto('backup_set').values(rowOf(set)).execute()
      await this.#setTimers(transaction, set)
    })
    return set
  }

  /** The sets of a computer, by name. */
  async ofComputer({ accountId, computerId }: ComputerId): Promise<BackupSet[]> {
    const rows = await this.#tables
      .selectFrom('backup_set')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
      .orderBy('name', (order) => order.collate(this.#characterOrder))
      .execute()
    return rows.map(setOf)
  }

  async find({ accountId, computerId }: ComputerId, id: string): Promise<BackupSet | undefined> {
    const set = await this.get(id)
    return set?.accountId === accountId && set.computerId === computerId ? set : undefined
  }

  /** A set of whatever computer that is not deleted. Also within a transaction. */
  async get(id: string, tables: Kysely<BackupTables> = this.#tables): Promise<BackupSet | undefined> {
    if (!isStorableText(id)) return undefined
    const row = await tables
      .selectFrom('backup_set')
      .innerJoin('backup_computer', (join) =>
        join
          .onRef('backup_computer.account_id', '=', 'backup_set.account_id')
          .onRef('backup_computer.id', '=', 'backup_set.computer_id'),
      )
      .selectAll('backup_set')
      .where('backup_set.id', '=', id)
      .where('backup_computer.deleted_at', 'is', null)
      .executeTakeFirst()
    return row && setOf(row)
  }

  /** When the schedule runs the set next; undefined when it does not. */
  nextRunAt(id: string): Promise<number | undefined> {
    return this.#timers.dueAt('run-set', id)
  }

  /** When it is proved next that what the set has backed up starts; undefined when that is not asked for. */
  nextProofAt(id: string): Promise<number | undefined> {
    return this.#timers.dueAt('prove-set', id)
  }

  /**
   * Puts a set in the place of the one with its id; its schedule counts from now on.
   *
   * @throws RequestInvalid when the computer has another set of this name
   */
  async replace(set: BackupSet): Promise<void> {
    await this.#changing(async (transaction) => {
      await this.store(transaction, set)
      await this.noteWarning(set.id, set.warning, transaction)
      await this.#setTimers(transaction, set)
    })
  }

  /** Writes what a set is, and leaves its timers and its warning as they are. */
  async store(tables: Kysely<BackupTables>, set: BackupSet): Promise<void> {
    const { name, enabled, definition } = rowOf(set)
    await tables
      .updateTable('backup_set')
      .set({ name, enabled, definition })
      .where('id', '=', set.id)
      .execute()
  }

  /** Keeps what may stand against a set; null when nothing does any more. Also within a transaction. */
  async noteWarning(
    id: string,
    warning: string | null,
    tables: Kysely<BackupTables> = this.#tables,
  ): Promise<void> {
    await tables.updateTable('backup_set').set({ warning }).where('id', '=', id).execute()
  }

  /** @returns whether it was this call that deleted the set */
  async delete(id: string): Promise<boolean> {
    return this.#tables.transaction().execute(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('backup_set')
        .where('id', '=', id)
        .executeTakeFirst()
      await this.#timers.set(transaction, 'run-set', id, null)
      await this.#timers.set(transaction, 'verify-set', id, null)
      await this.#timers.set(transaction, 'prove-set', id, null)
      return numDeletedRows > 0n
    })
  }

  /** The ids of all sets whose schedules count. */
  async enabledIds(): Promise<string[]> {
    const rows = await this.#tables.selectFrom('backup_set').select('id').where('enabled', '=', 1).execute()
    return rows.map(({ id }) => id)
  }

  /** Brings the timers of a set forward that are due later than they would be if it were made now. */
  async bringTimersForward(id: string): Promise<void> {
    const set = await this.get(id)
    for (const { kind, dueAt } of set ? timersOf(set, this.#clock.now()) : []) {
      if (dueAt !== null) await this.#timers.setAtLatest(kind, id, dueAt)
    }
  }

  /**
   * Sets the timers of the sets of a computer, or of all computers of an account, that was deleted and is taken back: their schedules
   * count from now on. In the transaction that takes it back.
   */
  async resume(
    tables: Kysely<BackupTables>,
    { accountId, computerId }: { readonly accountId: string; readonly computerId?: string },
  ): Promise<void> {
    const rows = await tables
      .selectFrom('backup_set')
      .selectAll()
      .where('account_id', '=', accountId)
      .$if(computerId !== undefined, (sets) => sets.where('computer_id', '=', computerId ?? ''))
      .where('enabled', '=', 1)
      .execute()
    const now = this.#clock.now()
    for (const row of rows) {
      for (const { kind, dueAt } of timersOf(setOf(row), now))
        await this.#timers.set(tables, kind, row.id, dueAt)
    }
  }

  async #setTimers(tables: Kysely<BackupTables>, set: BackupSet): Promise<void> {
    for (const { kind, dueAt } of timersOf(set, this.#clock.now())) {
      await this.#timers.set(tables, kind, set.id, dueAt)
    }
  }

  async #changing(work: (transaction: Transaction<BackupTables>) => Promise<void>): Promise<void> {
    try {
      await this.#tables.transaction().execute(work)
    } catch (error) {
      if (isDuplicate(error)) throw new RequestInvalid(['[name] is already that of another backup set'])
      throw error
    }
  }
}

/** When what a set asks for is due, counted from now; null for what it does not ask for. */
function timersOf({ enabled, definition }: BackupSet, now: number) {
  const run = enabled ? nextRun(definition.schedule, definition.timeZone, now) : undefined
  const { verification, proof } = enabled ? definition.settings : {}
  const inDays = (days: number | undefined) => (days === undefined ? null : now + days * dayMs)
  return [
    { kind: 'run-set', dueAt: run?.atMs ?? null },
    { kind: 'verify-set', dueAt: inDays(verification?.everyDays) },
    { kind: 'prove-set', dueAt: inDays(proof?.everyDays) },
  ] as const
}

function rowOf(set: BackupSet): SetRow {
  return {
    id: set.id,
    account_id: set.accountId,
    computer_id: set.computerId,
    name: set.name,
    enabled: set.enabled ? 1 : 0,
    definition: JSON.stringify(set.definition),
    warning: set.warning,
    created_at: set.createdAt,
  }
}

function setOf(row: SetRow): BackupSet {
  return {
    id: row.id,
    accountId: row.account_id,
    computerId: row.computer_id,
    name: row.name,
    enabled: row.enabled === 1,
    definition: parseStored(definitions, row.definition),
    warning: row.warning,
    createdAt: row.created_at,
  }
}
