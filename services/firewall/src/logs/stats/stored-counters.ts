import { setImmediate } from 'node:timers/promises'
import type { Store } from '@palisade/platform'
import type { CounterName, TrafficCounts } from '@palisade/proxy-protocol'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { FirewallLogTables } from '../tables.ts'
import type { CountedAt, CountedRange, CountedTimes, CountsMessage, TrafficCounters } from './counters.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How many minutes are kept apart; what is older is left in the sums of all times. */
export const countedMinutesMax = 7 * 24 * 60

/** How many hours are kept apart. */
export const countedHoursMax = 13 * 7 * 24

/** The minute under which the sums of all times are kept. */
const allTimes = 0

type CounterRow = FirewallLogTables['firewall_traffic_counter']

/** A counter that has come this far stays there: larger numbers are not exact, and the stores have no room for the largest. */
const valueMax = Number.MAX_SAFE_INTEGER

/** What a counter and what is added to it come to. @param held the value that the store has */
function sumOfBoth(held: string) {
  const [room, value] = [sql.lit(valueMax), sql.ref(held)]
  return sql<number>`case
    when ${value} > ${room} - excluded.value then ${room}
    else ${value} + excluded.value
  end`
}

/** How many rows one statement writes, and how many services or times one names. */
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
      const sums = await transaction
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
      if (sums === undefined) return
      await addToMinutes(transaction, rows)
      await addToHours(transaction, counted)
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

  /** The rows are looked up one by one by their keys: a range of the index would have every counter of every service in it. */
  async at({ services, counters, unit, times }: CountedTimes): Promise<readonly CountedAt[]> {
    const countedValues: CountedAt[] = []
    if (services.length === 0 || counters.length === 0) return countedValues
    for (let start = 0; start < times.length; start += statementRows) {
      const part = times.slice(start, start + statementRows)
      const value = sql<number>`cast(value as double precision)`
      const selected =
        unit === 'hour'
          ? this.#tables
              .selectFrom('firewall_traffic_hour')
              .select(['hour as time', 'service', 'counter', value.as('value')])
              .where('hour', 'in', part)
              .where('service', 'in', services)
              .where('counter', 'in', counters)
          : this.#tables
              .selectFrom('firewall_traffic_counter')
              .select(['minute as time', 'service', 'counter', value.as('value')])
              .where('minute', 'in', part)
              .where('service', 'in', services)
              .where('counter', 'in', counters)
      const rows = await selected.execute()
      for (const row of rows) countedValues.push({ ...row, time: Number(row.time) })
      await setImmediate()
    }
    return countedValues
  }

  /**
   * Removes the minutes and hours that are no longer kept apart.
   *
   * @param now in milliseconds since 1970
   */
  async sweep(now: number): Promise<void> {
    await this.#tables
      .deleteFrom('firewall_traffic_counter')
      .where('minute', '>', allTimes)
      .where('minute', '<', minuteOf(now) - countedMinutesMax * minuteMs)
      .execute()
    await this.#tables
      .deleteFrom('firewall_traffic_hour')
      .where('hour', '<', hourOf(now) - countedHoursMax * hourMs)
      .execute()
  }
}

async function addToMinutes(
  transaction: Transaction<FirewallLogTables>,
  rows: readonly CounterRow[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += statementRows) {
    await transaction
      .insertInto('firewall_traffic_counter')
      .values(rows.slice(start, start + statementRows))
      .onConflict((conflict) =>
        conflict
          .columns(['minute', 'service', 'counter'])
          .doUpdateSet({ value: sumOfBoth('firewall_traffic_counter.value') }),
      )
      .execute()
  }
}

async function addToHours(
  transaction: Transaction<FirewallLogTables>,
  counted: readonly TrafficCounts[],
): Promise<void> {
  const rows = addedUp(counted, (time) => [hourOf(time)])
  for (let start = 0; start < rows.length; start += statementRows) {
    const values = rows
      .slice(start, start + statementRows)
      .map(({ time, service, counter, value }) => ({ hour: time, service, counter, value }))
    await transaction
      .insertInto('firewall_traffic_hour')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['hour', 'service', 'counter'])
          .doUpdateSet({ value: sumOfBoth('firewall_traffic_hour.value') }),
      )
      .execute()
  }
}

/** One row for each counter of each minute and service, and one of all times. */
function rowsOf(counted: readonly TrafficCounts[]): CounterRow[] {
  const rows = addedUp(counted, (time) => [allTimes, minuteOf(time)])
  return rows.map(({ time, service, counter, value }) => ({ minute: time, service, counter, value }))
}

/**
 * The counts with those of the same time, service and counter added up; in an order that all writers share.
 *
 * @param timesOf the times under which the store keeps what was counted at a moment
 */
function addedUp(
  counted: readonly TrafficCounts[],
  timesOf: (time: number) => readonly number[],
): readonly CountedAt[] {
  const rows = new Map<string, CountedAt>()
  for (const { time: moment, service, counts } of counted) {
    for (const [counter, value] of Object.entries(counts)) {
      for (const time of timesOf(moment)) {
        const key = JSON.stringify([time, service, counter])
        const before = rows.get(key)?.value ?? 0
        rows.set(key, { time, service, counter, value: Math.min(before + value, valueMax) })
      }
    }
  }
  // Two writers that lock the same rows in different orders would wait for each other.
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function minuteOf(time: number): number {
  return Math.floor(time / minuteMs) * minuteMs
}

function hourOf(time: number): number {
  return Math.floor(time / hourMs) * hourMs
}
