import type { Clock, Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { ComputerId } from '../computer-id.ts'
import { singleLine } from '../single-line.ts'
import type { ActionKind, ActionRow, BackupTables } from '../tables.ts'
import type { Action, ActionOutcome } from './action.ts'

const reasonLengthMax = 1000

/** An action with the computer that it is about. */
export interface OwnedAction extends Action, ComputerId {}

/** What was wished of backup sets, in the store. */
export class Actions {
  readonly #tables: Kysely<BackupTables>
  readonly #clock: Clock

  constructor(deps: { store: Store; clock: Clock }) {
    this.#tables = deps.store.tables<BackupTables>()
    this.#clock = deps.clock
  }

  /** Enters an action that waits, or one that is over already. Also within a transaction. */
  async enter(
    computer: ComputerId,
    kind: ActionKind,
    more: {
      readonly setId?: string
      readonly cancelAt?: number | null
      readonly outcome?: ActionOutcome
      readonly tables?: Kysely<BackupTables>
    } = {},
  ): Promise<OwnedAction> {
    const { setId = null, cancelAt = null, outcome, tables = this.#tables } = more
    const { value: id } = await tables
      .updateTable('backup_counter')
      .set((column) => ({ value: column('value', '+', 1) }))
      .where('name', '=', 'action')
      .returning('value')
      .executeTakeFirstOrThrow()
    const now = this.#clock.now()
    const row: ActionRow = {
      id,
      account_id: computer.accountId,
      computer_id: computer.computerId,
      kind,
      set_id: setId,
      state: outcome?.state ?? 'CREATED',
      reason: outcome?.reason ?? '',
      created_at: now,
      cancel_at: cancelAt,
      ended_at: outcome ? now : null,
    }
    await tables.insertInto('backup_action').values(row).execute()
    return actionOf(row)
  }

  async find({ accountId, computerId }: ComputerId, id: number): Promise<OwnedAction | undefined> {
    const row = await this.#tables
      .selectFrom('backup_action')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('computer_id', '=', computerId)
      .executeTakeFirst()
    return row && actionOf(row)
  }

  /** Runs of backup sets that have not ended, oldest first: of all computers, or of one set. */
  async unfinishedRuns(setId?: string, tables: Kysely<BackupTables> = this.#tables): Promise<OwnedAction[]> {
    const query = tables
      .selectFrom('backup_action')
      .selectAll()
      .where('ended_at', 'is', null)
      .where('kind', '=', 'run-set')
      .orderBy('id')
    const rows = await (setId === undefined ? query : query.where('set_id', '=', setId)).execute()
    return rows.map(actionOf)
  }

  /** The newest action of a kind about each of the sets. */
  async newestOf(kind: ActionKind, setIds: readonly string[]): Promise<Map<string, OwnedAction>> {
    if (setIds.length === 0) return new Map()
    const newest = this.#tables
      .selectFrom('backup_action')
      .select(({ fn }) => fn.max('id').as('id'))
      .where('set_id', 'in', setIds)
      .where('kind', '=', kind)
      .groupBy('set_id')
    const rows = await this.#tables
      .selectFrom('backup_action')
      .selectAll()
      .where('id', 'in', newest)
      .execute()
    return new Map(rows.map((row) => [row.set_id ?? '', actionOf(row)]))
  }

  /** Ends the actions of a kind that a server which is gone had begun. */
  async endInterrupted(kind: ActionKind): Promise<void> {
    await this.#tables
      .updateTable('backup_action')
      .set({ state: 'ERROR', reason: 'the server was restarted', ended_at: this.#clock.now() })
      .where('ended_at', 'is', null)
      .where('kind', '=', kind)
      .execute()
  }

  /** Begins what waited. @returns whether it was this call that did it */
  async begin(tables: Kysely<BackupTables>, id: number): Promise<boolean> {
    const { numUpdatedRows } = await tables
      .updateTable('backup_action')
      .set({ state: 'PENDING' })
      .where('id', '=', id)
      .where('state', '=', 'CREATED')
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Ends an action; one that has ended stays as it is. */
  async end(id: number, { state, reason }: ActionOutcome): Promise<void> {
    await this.#tables
      .updateTable('backup_action')
      .set({ state, reason: singleLine(reason, reasonLengthMax), ended_at: this.#clock.now() })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
  }
}

function actionOf(row: ActionRow): OwnedAction {
  return {
    id: row.id,
    accountId: row.account_id,
    computerId: row.computer_id,
    kind: row.kind,
    setId: row.set_id,
    state: row.state,
    reason: row.reason,
    createdAt: row.created_at,
    cancelAt: row.cancel_at,
    endedAt: row.ended_at,
  }
}
