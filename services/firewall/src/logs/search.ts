import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { columnOf, type StoredLog } from './columns.ts'
import { idsWithin, type Search, sqlOf } from './conditions.ts'
import type { FirewallLogTables } from './tables.ts'
import { rowsThatMatch } from './text-matching.ts'

/** Which of the entries that were found are wanted, from the newest on. */
export interface Page {
  readonly offset: number
  readonly limit: number
}

/**
 * How many entries one step of a search looks at. The embedded store works on the server's own thread, so a step
 * is as long as everybody else has to wait: about 3 ms.
 */
const windowEntries = 2000

/** How many entries are passed over in one step by their ids alone, in about the same time. */
const skippedEntries = 20_000

/** Entries from an id up to, not including, another. */
interface Window {
  readonly from: string
  readonly before: string
}

/**
 * Finds entries, newest first, in steps between which others are served: it walks back over windows of ids, and
 * lets the store look only at the entries of one window at a time. Where every entry is wanted, those before the
 * offset are passed over in the index of ids.
 *
 * @returns the ids of the page's entries
 * @throws ExpressionTooSlow
 */
export async function searchIds(
  tables: Kysely<FirewallLogTables>,
  log: StoredLog,
  search: Search,
  { offset, limit }: Page,
  signal: AbortSignal,
): Promise<string[]> {
  const all = idsWithin(search.times)
  const hasConditions = search.conditions.length + search.texts.length > 0 || search.limit !== undefined
  const before = hasConditions ? all.before : await idAfterSkipping(tables, log, all, offset, signal)
  if (before === undefined) return []
  const count = limit + (hasConditions ? offset : 0)
  const ids: string[] = []
  let remaining: Window | undefined = { from: all.from, before }
  while (remaining !== undefined && ids.length < count && !signal.aborted) {
    const window: Window = await newestWindow(tables, log, remaining)
    ids.push(...(await idsInWindow(tables, log, search, window, count - ids.length)))
    remaining = window.from === remaining.from ? undefined : { from: remaining.from, before: window.from }
    await setImmediate()
  }
  return ids.slice(count - limit, count)
}

/** The id before which the entries lie that follow the first ones, or undefined when there are not as many. */
async function idAfterSkipping(
  tables: Kysely<FirewallLogTables>,
  { table }: StoredLog,
  { from, before }: Window,
  count: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  let last: string | undefined = before
  for (let left = count; left > 0 && last !== undefined && !signal.aborted; left -= skippedEntries) {
    const skipped = await tables
      .selectFrom(table)
      .select('id')
      .where('id', '>=', from)
      .where('id', '<', last)
      .orderBy('id', 'desc')
      .limit(1)
      .offset(Math.min(left, skippedEntries) - 1)
      .executeTakeFirst()
    last = skipped?.id
    await setImmediate()
  }
  return last
}

/** The newest part of what is left, with as many entries as one step looks at. */
async function newestWindow(
  tables: Kysely<FirewallLogTables>,
  { table }: StoredLog,
  left: Window,
): Promise<Window> {
  const first = await tables
    .selectFrom(table)
    .select('id')
    .where('id', '>=', left.from)
    .where('id', '<', left.before)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(windowEntries - 1)
    .executeTakeFirst()
  return { from: first?.id ?? left.from, before: left.before }
}

async function idsInWindow(
  tables: Kysely<FirewallLogTables>,
  { table }: StoredLog,
  { conditions, texts, limit: readable }: Search,
  { from, before }: Window,
  limit: number,
): Promise<string[]> {
  const columns = ['id', ...(readable?.columns ?? []), ...texts.map(({ field }) => columnOf(field))]
  const matching = tables
    .selectFrom(table)
    .select([...new Set(columns)])
    .where('id', '>=', from)
    .where('id', '<', before)
    .where((builder) => builder.and(conditions.map((condition) => sqlOf({ eb: builder }, condition))))
    .orderBy('id', 'desc')
  const isDecided = texts.length === 0 && readable === undefined
  const entries = await (isDecided ? matching.limit(limit) : matching).execute()
  const rows = readable ? entries.filter((row) => readable.allows(row)) : entries
  const textOf = (row: (typeof rows)[number], field: string) => String(row[columnOf(field)] ?? '')
  return rowsThatMatch(rows, texts, textOf).map(({ id }) => String(id))
}
