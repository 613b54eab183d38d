import { type AuditRow, type AuditTables, insertedIf, oneStatement } from '@palisade/platform'
import { type Kysely, sql } from 'kysely'
import { type PreparedEntries, tallyChange } from '../logs/log-store.ts'
import type { FirewallLogTables } from '../logs/tables.ts'
import type { FirewallTables } from '../tables.ts'
import { versionNotification } from './follow-versions.ts'
import { versionCount } from './stored-versions.ts'
import type { RowsOfWrites } from './stored-writes.ts'

/** All that one change stores. */
export interface ChangeRows extends RowsOfWrites {
  /** The version that it is made on. */
  readonly version: number
  readonly logged: PreparedEntries
  readonly audited: readonly AuditRow[]
}

const auditColumns = [
  'id',
  'at',
  'actor_kind',
  'actor',
  'address',
  'service',
  'action',
  'target',
  'before',
  'after',
  'request_id',
] as const satisfies readonly (keyof AuditTables['audit_entry'])[]

/**
 * Makes a change in PostgreSQL by one statement, which is its transaction: a server that makes changes spends most of its time on round
 * trips. What follows `counted` does nothing where that has changed no row. It sees the tables as they were before the statement, which
 * is after the change that made the version.
 *
 * @returns whether the version was still the newest; otherwise nothing was written
 */
export async function changeInOneStatement(
  tables: Kysely<FirewallTables>,
  { version, written, deleted, logged, audited }: ChangeRows,
): Promise<boolean> {
  const counted = versionCount(tables, version).returning('version as counted_version')
  const { log, rows } = logged
  const logColumns = ['id', 'bytes', 'document', ...log.columns.map(({ column }) => column)]
  const logTables = tables.$extendTables<FirewallLogTables>().$pickTables<'firewall_log_tally'>()
  const parts = [
    sql`counted AS (${counted})`,
    sql`logged AS (${insertedIf('counted', log.table, logColumns, rows)})`,
    sql`tallied AS (${tallyChange(logTables, log, logged.tally).where(sql<boolean>`EXISTS (SELECT FROM counted)`)})`,
    sql`audited AS (${insertedIf('counted', 'audit_entry', auditColumns, audited)})`,
  ]
  if (written.length > 0) {
    const columns = ['kind', 'path', 'document', 'version'] as const
    parts.push(sql`written AS (${insertedIf('counted', 'firewall_object', columns, written)}
      ON CONFLICT (kind, path) DO UPDATE SET document = excluded.document, version = excluded.version)`)
  }
  if (deleted.length > 0) {
    const columns = ['kind', 'path', 'version'] as const
    parts.push(
      sql`traced AS (${insertedIf('counted', 'firewall_deleted_object', columns, deleted)}
        ON CONFLICT (kind, path) DO UPDATE SET version = excluded.version RETURNING kind, path)`,
      sql`deleted AS (DELETE FROM firewall_object AS object USING traced
        WHERE object.kind = traced.kind AND object.path = traced.path)`,
    )
  }
  const notifications = await oneStatement(
    tables,
    sql`WITH ${sql.join(parts)} SELECT ${versionNotification(version + 1)} FROM counted`,
  )
  return notifications.length === 1
}
