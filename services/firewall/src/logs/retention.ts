import { setImmediate } from 'node:timers/promises'
import type { Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { type StoredLog, storedLogs } from './columns.ts'
import { firstIdAt } from './entry-ids.ts'
import { type Tally, tallyChange } from './log-store.ts'
import type { LogName } from './log-types.ts'
import type { FirewallLogTables } from './tables.ts'

/** Until when entries of a log are kept: until one of these is exceeded. The oldest go first. */
export interface Limits {
  readonly days: number
  readonly entries: number
  /** Roughly what the entries take in the store. */
  readonly bytes: number
}

const gigabyte = 2 ** 30

/**
 * What is kept unless somebody asks for something else. Traffic is plentiful and ages fast; what administrators
 * did has to be there a year later. Together about 6 GiB at most.
 */
export const retentionDefaults: Readonly<Record<LogName, Limits>> = {
  access: { days: 30, entries: 5_000_000, bytes: 3 * gigabyte },
  'web-firewall': { days: 90, entries: 1_000_000, bytes: gigabyte },
  audit: { days: 400, entries: 1_000_000, bytes: gigabyte },
  'network-firewall': { days: 30, entries: 1_000_000, bytes: gigabyte / 2 },
  system: { days: 90, entries: 500_000, bytes: gigabyte / 2 },
}

/** How often {@link Retention.sweep} is meant to be called. */
export const sweepIntervalMs = 60_000

/** How many entries one step removes: what others wait for is about 5 ms. */
const stepEntries = 500

const dayMs = 86_400_000

/** Removes entries that need not be kept any longer. */
export class Retention {
  readonly #tables: Kysely<FirewallLogTables>
  readonly #limits: Readonly<Record<LogName, Limits>>
  #running: Promise<number> | undefined
  #isClosed = false

  constructor(deps: { store: Store; limits?: Partial<Record<LogName, Limits>> }) {
    this.#tables = deps.store.tables<FirewallLogTables>()
    this.#limits = { ...retentionDefaults, ...deps.limits }
  }

  /**
   * Removes what is too old or too much, step by step, with others being served in between. While one sweep runs,
   * another call waits for that one. Several servers may sweep the same store.
   *
   * @param now in milliseconds since 1970
   * @returns how many entries were removed
   */
  sweep(now: number): Promise<number> {
    this.#running ??= this.#sweepAll(now).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Lets a running sweep end with the step that it is at. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #sweepAll(now: number): Promise<number> {
    let removed = 0
    for (const log of storedLogs.values()) {
      let step: number
      do {
        step = await this.#removeOldest(log, now)
        removed += step
        await setImmediate()
      } while (step > 0 && !this.#isClosed)
    }
    return removed
  }

  async #removeOldest(log: StoredLog, now: number): Promise<number> {
    const tally = await tallyOf(this.#tables, log).executeTakeFirstOrThrow()
    if ((await this.#lastToRemove(this.#tables, log, tally, now)) === undefined) return 0
    return this.#tables.transaction().execute(async (transaction) => {
      const locked = await lockedTally(transaction, log).executeTakeFirstOrThrow()
      const last = await this.#lastToRemove(transaction, log, locked, now)
      if (last === undefined) return 0
      const removed = await transaction
        .deleteFrom(log.table)
        .where('id', '<=', last)
        .returning('bytes')
        .execute()
      const bytes = removed.reduce((sum, row) => sum + Number(row.bytes), 0)
      await transaction.executeQuery(
        tallyChange(transaction, log, { entries: -removed.length, bytes: -bytes }),
      )
      return removed.length
    })
  }

  /** The id of the last of the oldest entries that one step removes, or undefined when all of them stay. */
  async #lastToRemove(
    tables: Kysely<FirewallLogTables>,
    log: StoredLog,
    held: Tally,
    now: number,
  ): Promise<string | undefined> {
    const limits = this.#limits[log.name]
    const oldest = await tables
      .selectFrom(log.table)
      .select(['id', 'bytes'])
      .orderBy('id')
      .limit(stepEntries)
      .execute()
    const keptFrom = firstIdAt(now - limits.days * dayMs)
    return lastBeyond(oldest, held, { ...limits, keptFrom })
  }
}

function tallyOf(tables: Kysely<FirewallLogTables>, log: StoredLog) {
  return tables.selectFrom('firewall_log_tally').select(['entries', 'bytes']).where('log', '=', log.name)
}

/**
 * The tally, locked until the transaction ends. PostgreSQL would otherwise show a sweep of another server the tally
 * from before a step of this one, and the entries from after it: it would remove as many again.
 */
function lockedTally(transaction: Kysely<FirewallLogTables>, log: StoredLog) {
  return transaction
    .updateTable('firewall_log_tally')
    .set(({ ref }) => ({ entries: ref('entries') }))
    .where('log', '=', log.name)
    .returning(['entries', 'bytes'])
}

function lastBeyond(
  oldest: readonly { readonly id: string; readonly bytes: number }[],
  held: Tally,
  limits: Tally & { readonly keptFrom: string },
): string | undefined {
  let { entries, bytes } = held
  let last: string | undefined
  for (const row of oldest) {
    if (row.id >= limits.keptFrom && entries <= limits.entries && bytes <= limits.bytes) return last
    last = row.id
    entries -= 1
    bytes -= row.bytes
  }
  return last
}
