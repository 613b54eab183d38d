import type { Store } from '@palisade/platform'
import type { CounterName, TrafficCounts } from '@palisade/proxy-protocol'
import { type Kysely, sql } from 'kysely'
import type { FirewallLogTables } from '../tables.ts'
import type { CountedRange, CountsMessage, TrafficCounters } from './counters.ts'

const minuteMs = 60_000

/** How many minutes are kept apart; what is older is left in the sums of all times. */
export const countedMinutesMax = 7 * 24 * 60

/** The minute under which the sums of all times are kept. */
const allTimes = 0

type CounterRow = FirewallLogTables['firewall_traffic_counter']

/** A counter that has come this far stays there: larger numbers are not exact, and the stores have no room for the largest. */
const valueMax = Number.MAX_SAFE_INTEGER

/** What a counter and what is added to it come to. */
const sumOfBoth = sql<number>`case
  when firewall_traffic_counter.value > ${sql.lit(valueMax)} - excluded.value then ${sql.lit(valueMax)}
  else firewall_traffic_counter.value + excluded.value
end`

/** How many rows one statement writes, and how many services one names. */
const statementRows = 500

/** Counters in the store, by minute and service. Several servers and proxies may add to them. */
export class StoredCounters implements TrafficCounters {
  readonly #tables: Kysely<FirewallLogTables>

  constructor(deps: { store: Store }) {
    this.#tables = deps.store.tables<FirewallLogTables>()
  }

  async add(counted: readonly TrafficCounts[], { proxy, message }: CountsMessage): Promise<void> {
    const rows = rowsOf(counted)
    await this.#tables.transaction().execute(async (transaction) => {
      const told = await transaction
        .insertInto('firewall_counts_message')
        .values({ proxy, message })
        .onConflict((conflict) =>
          conflict
            .column('proxy')
            .doUpdateSet({ message })
            .where('firewall_counts_message.message', '!=', message),
        )
        .returning('proxy')
        .executeTakeFirst()
      if (told === undefined) return
      for (let start = 0; start < rows.length; start += statementRows) {
        await transaction
          .insertInto('firewall_traffic_counter')
          .values(rows.slice(start, start + statementRows))
          .onConflict((conflict) =>
            conflict.columns(['minute', 'service', 'counter']).doUpdateSet({ value: sumOfBoth }),
          )
          .execute()
      }
    })
  }

  async sums({ services, since }: CountedRange): Promise<Partial<Record<CounterName, number>>> {
    if (services === undefined) return this.#sumsOf(since, undefined)
    const sums: Partial<Record<CounterName, number>> = {}
    for (let start = 0; start < services.length; start += statementRows) {
      const part = await this.#sumsOf(since, services.slice(start, start + statementRows))
      for (const [counter, value] of Object.entries(part) as [CounterName, number][]) {
        sums[counter] = Math.min((sums[counter] ?? 0) + value, valueMax)
      }
    }
    return sums
  }

  /** @param services no more than one statement names; all when undefined */
  async #sumsOf(
    since: number | undefined,
    services: readonly string[] | undefined,
  ): Promise<Partial<Record<CounterName, number>>> {
    const summed = this.#tables
      .selectFrom('firewall_traffic_counter')
      .select(['counter', sql<number>`sum(cast(value as double precision))`.as('value')])
      .groupBy('counter')
    const ranged =
      since === undefined
        ? summed.where('minute', '=', allTimes)
        : summed.where('minute', '>=', Math.max(minuteOf(since), minuteMs))
    const rows = await (services === undefined ? ranged : ranged.where('service', 'in', services)).execute()
    return Object.fromEntries(rows.map(({ counter, value }) => [counter, Math.min(value, valueMax)]))
  }

  /**
   * Removes the minutes that are no longer kept apart.
   *
   * @param now in milliseconds since 1970
   */
  async sweep(now: number): Promise<void> {
    await this.#tables
      .deleteFrom('firewall_traffic_counter')
      .where('minute', '>', allTimes)
      .where('minute', '<', minuteOf(now) - countedMinutesMax * minuteMs)
      .execute()
  }
}

/** One row for each counter of each minute and service, and one of all times; in an order that all writers share. */
function rowsOf(counted: readonly TrafficCounts[]): CounterRow[] {
  const rows = new Map<string, CounterRow>()
  for (const { time, service, counts } of counted) {
    for (const [counter, value] of Object.entries(counts)) {
      for (const minute of [allTimes, minuteOf(time)]) {
        const key = JSON.stringify([minute, service, counter])
        const row = rows.get(key) ?? { minute, service, counter, value: 0 }
        row.value = Math.min(row.value + value, valueMax)
        rows.set(key, row)
      }
    }
  }
  // Two writers that lock the same rows in different orders would wait for each other.
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function minuteOf(time: number): number {
  return Math.floor(time / minuteMs) * minuteMs
}
