import { setImmediate } from 'node:timers/promises'
import type { Clock, Store } from '@palisade/platform'
import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import { type StoredLog, storedLog } from './columns.ts'
import type { Search } from './conditions.ts'
import { EntryIds } from './entry-ids.ts'
import type { LogEntry, LogName } from './log-types.ts'
import { type EntryFields, rowOf } from './rows.ts'
import { type Page, searchIds } from './search.ts'
import type { FirewallLogTables, LogRow } from './tables.ts'

/** The database, or a transaction on it, whatever tables its owner knows. */
export interface QueryRunner {
  executeQuery<Row>(query: CompiledQuery<Row> | Compilable<Row>): Promise<QueryResult<Row>>
}

/**
 * How many entries one transaction writes. The embedded store serves one caller at a time, so this is how long a
 * reader may have to wait: about 5 ms.
 */
const transactionEntriesMax = 250

/** How many rows one statement inserts. Few different numbers, so that statements need not be prepared anew. */
const statementRows = [100, 10, 1]

/** How many entries are read at a time. */
const readRowsMax = 500

/** How much a log holds. */
export interface Tally {
  readonly entries: number
  /** Roughly; see rows.ts. */
  readonly bytes: number
}

/** Entries that are about to be written. */
export interface PreparedEntries {
  readonly log: StoredLog
  readonly rows: readonly LogRow[]
  /** What they add to what the log holds. */
  readonly tally: Tally
  /** To be called when they are committed: tells who listens. */
  tell(): void
}

/** Told of entries that were written. */
export type WrittenListener = (name: LogName, rows: readonly LogRow[]) => void

/** The logs: appended to in batches, searched from the newest entry backwards. */
export class LogStore {
  readonly #store: Store
  readonly #tables: Kysely<FirewallLogTables>
  readonly #clock: Clock
  readonly #ids = new EntryIds()
  readonly #listeners = new Set<WrittenListener>()

  constructor(deps: { store: Store; clock: Clock }) {
    this.#store = deps.store
    this.#tables = deps.store.tables<FirewallLogTables>()
    this.#clock = deps.clock
  }

  /**
   * Writes entries, which are durable when this returns. A batch of many is written in several transactions, with
   * others being served in between; when one fails, those before it stay written.
   *
   * On the embedded store this waits for transactions that are open: inside one, use {@link prepare} and {@link writeWithin}.
   */
  async append<Name extends LogName>(name: Name, entries: readonly LogEntry<Name>[]): Promise<void> {
    for (let start = 0; start < entries.length; start += transactionEntriesMax) {
      const part = entries.slice(start, start + transactionEntriesMax)
      const prepared = this.prepare(name, part)
      await this.#tables.transaction().execute((transaction) => this.writeWithin(transaction, prepared))
      prepared.tell()
      await setImmediate()
    }
  }

  /** @returns ends it */
  onWritten(listener: WrittenListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Makes the rows of entries, for who writes them as part of a transaction of his own. */
  prepare<Name extends LogName>(name: Name, entries: readonly LogEntry<Name>[]): PreparedEntries {
    const log = storedLog(name)
    const now = this.#clock.now()
    const rows = entries.map(({ time = now, ...fields }) =>
      rowOf(log, this.#ids.next(time), fields as EntryFields),
    )
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    const tell = () => {
      for (const listener of this.#listeners) listener(name, rows)
    }
    return { log, rows, tally: { entries: rows.length, bytes }, tell }
  }

  /** Writes entries as part of a transaction that somebody else has begun. */
  async writeWithin(transaction: QueryRunner, { log, rows, tally }: PreparedEntries): Promise<void> {
    if (rows.length === 0) return
    for (const part of inStatements(rows)) {
      await transaction.executeQuery(this.#tables.insertInto(log.table).values(part).compile())
    }
    await transaction.executeQuery(tallyChange(this.#tables, log, tally).compile())
  }

  /** The entry with this id. */
  async find(name: LogName, id: string): Promise<LogRow | undefined> {
    return this.#tables
      .selectFrom(storedLog(name).table)
      .selectAll()
      .where('id', '=', id)
      .$castTo<LogRow>()
      .executeTakeFirst()
  }

  /**
   * The entries that a search finds, newest first.
   *
   * @param signal ends the search where it is, once nobody waits for it any more
   * @throws ExpressionTooSlow
   */
  async search(name: LogName, search: Search, page: Page, signal: AbortSignal): Promise<LogRow[]> {
    const log = storedLog(name)
    return this.#store.readList(async (store) => {
      const tables = store.tables<FirewallLogTables>()
      const ids = await searchIds(tables, log, search, page, signal)
      const rows: LogRow[] = []
      for (let start = 0; start < ids.length; start += readRowsMax) {
        const part = ids.slice(start, start + readRowsMax)
        rows.push(...(await readEntries(tables, log, part)))
        await setImmediate()
      }
      return rows
    })
  }

  /** How much each log holds. */
  async tallies(): Promise<ReadonlyMap<LogName, Tally>> {
    const rows = await this.#tables.selectFrom('firewall_log_tally').selectAll().execute()
    return new Map(rows.map(({ log, entries, bytes }) => [log, { entries, bytes }]))
  }
}

function readEntries(
  tables: Kysely<FirewallLogTables>,
  { table }: StoredLog,
  ids: readonly string[],
): Promise<LogRow[]> {
  return tables
    .selectFrom(table)
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .$castTo<LogRow>()
    .execute()
}

/** Adds to what a log is said to hold. */
export function tallyChange(tables: Kysely<FirewallLogTables>, { name }: StoredLog, change: Tally) {
  return tables
    .updateTable('firewall_log_tally')
    .set(({ eb }) => ({
      entries: eb('entries', '+', change.entries),
      bytes: eb('bytes', '+', change.bytes),
    }))
    .where('log', '=', name)
}

function inStatements(rows: readonly LogRow[]): LogRow[][] {
  const statements: LogRow[][] = []
  let start = 0
  for (const count of statementRows) {
    for (; start + count <= rows.length; start += count) statements.push(rows.slice(start, start + count))
  }
  return statements
}
