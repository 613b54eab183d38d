import type { Migrations } from '@palisade/platform'
import { sql } from 'kysely'
import { type LogTable, storedLogs } from './columns.ts'
import type { LogName } from './log-types.ts'

/** One entry: the columns of its type beside those that every type has. */
export interface LogRow {
  /** Begins with the time; see entry-ids.ts. */
  id: string
  /** What the entry takes, roughly; see rows.ts. */
  bytes: number
  /** The fields that nobody can ask about, as a JSON object without those that are empty. */
  document: string
  [column: string]: string | number | null
}

/** The tables of the firewall's logs and statistics: one for each log, and what is counted over them. */
export type FirewallLogTables = Record<LogTable, LogRow> & {
  /** How much each log holds; kept with every change, since counting a log would take seconds. */
  firewall_log_tally: { log: LogName; entries: number; bytes: number }
  /** What the traffic counted. The minute 0 holds the sums of all times. */
  firewall_traffic_counter: {
    /** Milliseconds since 1970, a multiple of 60,000. */
    minute: number
    service: string
    counter: string
    value: number
  }
  /** The same by the hour, kept longer. */
  firewall_traffic_hour: {
    /** Milliseconds since 1970, a multiple of 3,600,000. */
    hour: number
    service: string
    counter: string
    value: number
  }
  /** The last counts that each proxy has handed over. */
  firewall_counts_message: { proxy: string; message: string }
}

/** The tables of the logs and of what the traffic counts; a list of their own, beside the service's. */
export const firewallLogMigrations: Migrations = {
  '0001-logs-and-counters': {
    async up(db) {
      for (const { table, columns } of storedLogs.values()) {
        const start = db.schema
          .createTable(table)
          .addColumn('id', 'text', (column) => column.primaryKey())
          .addColumn('bytes', 'integer', (column) => column.notNull())
        const filled = columns.reduce(
          (builder, { column, isNumber }) =>
            isNumber
              ? builder.addColumn(column, 'bigint')
              : builder.addColumn(column, 'text', (definition) => definition.notNull()),
          start,
        )
        // Last, so that looking for an entry does not lead past it.
        await filled.addColumn('document', 'text', (column) => column.notNull()).execute()
      }
      await db.schema
        .createTable('firewall_log_tally')
        .addColumn('log', 'text', (column) => column.primaryKey())
        .addColumn('entries', 'bigint', (column) => column.notNull())
        .addColumn('bytes', 'bigint', (column) => column.notNull())
        .execute()
      for (const log of storedLogs.keys()) {
        await db.insertInto('firewall_log_tally').values({ log, entries: 0, bytes: 0 }).execute()
      }
      await db.schema
        .createTable('firewall_traffic_counter')
        .addColumn('minute', 'bigint', (column) => column.notNull())
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('counter', 'text', (column) => column.notNull())
        .addColumn('value', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_traffic_counter_key', ['minute', 'service', 'counter'])
        .execute()
    },
  },
  '0002-counts-messages': {
    async up(db) {
      await db.schema
        .createTable('firewall_counts_message')
        .addColumn('proxy', 'text', (column) => column.primaryKey())
        .addColumn('message', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '0003-traffic-hours': {
    async up(db) {
      await db.schema
        .createTable('firewall_traffic_hour')
        .addColumn('hour', 'bigint', (column) => column.notNull())
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('counter', 'text', (column) => column.notNull())
        .addColumn('value', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_traffic_hour_key', ['hour', 'service', 'counter'])
        .execute()
      const hour = sql<number>`minute / 3600000 * 3600000`
      const value = sql<number>`sum(value)`
      await db
        .insertInto('firewall_traffic_hour')
        .columns(['hour', 'service', 'counter', 'value'])
        .expression((builder) =>
          builder
            .selectFrom('firewall_traffic_counter')
            .select([hour.as('hour'), 'service', 'counter', value.as('value')])
            .where('minute', '>', 0)
            .groupBy([hour, 'service', 'counter']),
        )
        .execute()
    },
  },
}
