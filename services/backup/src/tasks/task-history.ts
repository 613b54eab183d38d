import type { Store, TransactionTables } from '@palisade/platform'
import { sql } from 'kysely'
import type { BackupTables } from '../tables.ts'
import type { BackupRecord, RestoreRecord } from './task.ts'
import { recordOf } from './task-record.ts'

/** Which tasks are asked for, and in what order. */
export interface HistoryQuery {
  /** Those that began then or later, milliseconds since 1970. */
  readonly sinceMs: number
  /** Null for all kinds; one that does not exist for no tasks. */
  readonly kind: string | null
  readonly state: string | null
  readonly orderBy: 'started_at' | 'kind' | 'state'
  readonly direction: 'asc' | 'desc'
}

/** A task with the computer and the backup set that it is of. */
export interface HistoryEntry {
  readonly accountId: string
  readonly computerId: string
  /** Null for what was started by itself, and when the set was deleted. */
  readonly setName: string | null
  readonly task: BackupRecord | RestoreRecord
}

interface HistoryOwner {
  readonly accountId: string
  readonly computerId?: string
}

interface HistoryRange {
  readonly offset: number
  readonly limit: number
}

/** A column of fixed values as the text that it is, to be compared with any other. */
function textOf(column: 'kind' | 'state') {
  return sql<string | null>`backup_task.${sql.ref(column)}`
}

/**
 * A part of the backups and restores of a computer, or of all computers of an account.
 *
 * @returns how many there are in all, and those at [offset, offset + limit)
 */
export function taskHistory(
  store: Store,
  whose: HistoryOwner,
  query: HistoryQuery,
  range: HistoryRange,
): Promise<{ count: number; entries: HistoryEntry[] }> {
  return store.readList((tables) => readHistory(tables, whose, query, range))
}

async function readHistory(
  store: TransactionTables,
  whose: HistoryOwner,
  query: HistoryQuery,
  { offset, limit }: HistoryRange,
): Promise<{ count: number; entries: HistoryEntry[] }> {
  const { computerId } = whose
  const { kind, state } = query
  const selection = store
    .tables<BackupTables>()
    .selectFrom('backup_task')
    .innerJoin('backup_computer', (join) =>
      join
        .onRef('backup_computer.account_id', '=', 'backup_task.account_id')
        .onRef('backup_computer.id', '=', 'backup_task.computer_id'),
    )
    .where('backup_computer.deleted_at', 'is', null)
    .where('backup_task.account_id', '=', whose.accountId)
    .where('backup_task.started_at', '>=', query.sinceMs)
    .$if(computerId !== undefined, (rows) => rows.where('backup_task.computer_id', '=', computerId ?? ''))
    .$if(kind !== null, (rows) => rows.where(textOf('kind'), '=', kind))
    .$if(state !== null, (rows) => rows.where(textOf('state'), '=', state))
  const { count } = await selection
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await selection
    .leftJoin('backup_action', 'backup_action.id', 'backup_task.action_id')
    .leftJoin('backup_set', 'backup_set.id', 'backup_action.set_id')
    .selectAll('backup_task')
    .select('backup_set.name as set_name')
    .orderBy(`backup_task.${query.orderBy}`, query.direction)
    .orderBy('backup_task.id')
    .offset(offset)
    .limit(limit)
    .execute()
  return {
    count: Number(count),
    entries: rows.map(({ set_name, ...row }) => ({
      accountId: row.account_id,
      computerId: row.computer_id,
      setName: set_name,
      task: recordOf(row),
    })),
  }
}
