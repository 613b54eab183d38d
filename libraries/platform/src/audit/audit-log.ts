import { randomUUID } from 'node:crypto'
import { currentRequestId } from '@palisade/log/request-id'
import { type Kysely, sql } from 'kysely'
import type { Migrations } from '../database/migrate.ts'
import type { Store } from '../database/store.ts'

/** Who changed something. */
export interface Actor {
  /** What sort of caller it is: an operator with a session, one of his tokens, a client of an API, an administrator of the firewall, the server
   * itself; `anonymous` is whoever was refused, and has no name. */
  readonly kind: 'operator' | 'token' | 'client' | 'administrator' | 'system' | 'anonymous'
  readonly name: string
  /** The address that the request came from; null of the server itself. */
  readonly address: string | null
}

/** One change that somebody made. What is before and after has no secrets. */
export interface AuditEntry {
  readonly actor: Actor
  readonly service: string
  /** What was done, such as `createComputer`. */
  readonly action: string
  /** The path of what was changed. */
  readonly target: string
  readonly before: object | null
  readonly after: object | null
}

/** An entry as it is stored. Times are milliseconds since 1970. */
export type AuditRow = {
  id: string
  at: number
  actor_kind: string
  actor: string
  address: string | null
  service: string
  action: string
  target: string
  /** JSON. */
  before: string | null
  after: string | null
  /** That of the request or job that made the change; null of entries that earlier releases have written. */
  request_id: string | null
}

/** The one table of the audit log, for kysely. */
export type AuditTables = { audit_entry: AuditRow }

/**
 * Writes an entry with the change that it tells of, and the id of the request that is worked on.
 *
 * @param tables of the transaction that makes the change
 * @param at milliseconds since 1970
 */
export async function writeAuditEntry(
  tables: Kysely<AuditTables>,
  entry: AuditEntry,
  at: number,
): Promise<void> {
  await tables.insertInto('audit_entry').values(auditRow(entry, at)).execute()
}

/**
 * An entry as {@link writeAuditEntry} stores it, for who stores it together with other rows.
 *
 * @param at milliseconds since 1970
 */
export function auditRow(
  { actor, service, action, target, before, after }: AuditEntry,
  at: number,
): AuditRow {
  return {
    id: randomUUID(),
    at,
    actor_kind: actor.kind,
    actor: actor.name,
    address: actor.address,
    service,
    action,
    target,
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
    request_id: currentRequestId() ?? null,
  }
}

/** Makes the table of {@link AuditTables}, to which rows can be added and nothing else be done. */
export function auditMigrations({
  kind,
  characterOrder,
}: Pick<Store, 'kind' | 'characterOrder'>): Migrations {
  // In the order of listings, so that they go along the indexes.
  const text = sql.raw<string>(`text collate "${characterOrder}"`)
  return {
    '0001-entries': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('audit_entry')
          .addColumn('id', text, (column) => column.primaryKey())
          .addColumn('at', 'bigint', (column) => column.notNull())
          .addColumn('actor_kind', 'text', (column) => column.notNull())
          .addColumn('actor', 'text', (column) => column.notNull())
          .addColumn('address', 'text')
          .addColumn('service', 'text', (column) => column.notNull())
          .addColumn('action', 'text', (column) => column.notNull())
          .addColumn('target', 'text', (column) => column.notNull())
          .addColumn('before', 'text')
          .addColumn('after', 'text')
          .execute()
        for (const leading of [[], ['service'], ['actor'], ['action'], ['target']]) {
          await db.schema
            .createIndex(['audit_entry_by', ...leading, 'time'].join('_'))
            .on('audit_entry')
            .columns([...leading, 'at', 'id'])
            .execute()
        }
        await refuseChanges(db, kind)
      },
    },
    '0002-request-ids': {
      async up(db: Kysely<unknown>) {
        await db.schema.alterTable('audit_entry').addColumn('request_id', 'text').execute()
      },
    },
  }
}

const refusal = 'entries of the audit log are never changed'

/** Has the database itself refuse whatever would change or delete an entry. */
async function refuseChanges(db: Kysely<unknown>, kind: Store['kind']): Promise<void> {
  if (kind === 'postgres') {
    await sql`CREATE FUNCTION audit_entry_refuse() RETURNS trigger LANGUAGE plpgsql
      AS ${sql.lit(`BEGIN RAISE EXCEPTION '${refusal}'; END`)}`.execute(db)
    await sql`CREATE TRIGGER audit_entry_refuse BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
      EXECUTE FUNCTION audit_entry_refuse()`.execute(db)
    return
  }
  for (const change of ['UPDATE', 'DELETE']) {
    await sql`CREATE TRIGGER ${sql.ref(`audit_entry_${change.toLowerCase()}`)} BEFORE ${sql.raw(change)} ON audit_entry
      BEGIN SELECT RAISE(ABORT, ${sql.lit(refusal)}); END`.execute(db)
  }
}
