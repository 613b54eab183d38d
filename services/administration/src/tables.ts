import type { Migrations, Store } from '@palisade/platform'
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

/** Times are milliseconds since 1970, as in all tables. */
interface OperatorRow {
  id: string
  username: string
  display_name: string
  /** argon2id of the password; null of one who has none, and cannot log in with it. */
  password_hash: string | null
  /** A list of grants, as JSON. */
  grants: string
  /** 1 where he may neither log in nor use what he has. */
  is_disabled: number
  created_at: number
  last_login_at: number | null
  /** The configuration file that names him; null where he is administered at run time. */
  managed_by: string | null
}

interface SessionRow {
  id: string
  /** SHA-256 of what the cookie holds, hexadecimal. */
  digest: string
  operator_id: string
  created_at: number
  used_at: number
  expires_at: number
  address: string
  user_agent: string
}

interface TokenRow {
  id: string
  /** SHA-256 of the token, hexadecimal. */
  digest: string
  operator_id: string
  name: string
  /** A list of grants, as JSON: of what the operator may, the token may no more than this. */
  grants: string
  created_at: number
  used_at: number | null
  expires_at: number
}

export interface AdministrationTables {
  admin_operator: OperatorRow
  admin_session: SessionRow
  admin_token: TokenRow
}

/** Makes the tables of {@link AdministrationTables}. */
export function administrationMigrations({ characterOrder }: Pick<Store, 'characterOrder'>): Migrations {
  // In the order of listings, so that they go along the indexes.
  const text = sql.raw<string>(`text collate "${characterOrder}"`)
  return {
    '0001-operators': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('admin_operator')
          .addColumn('id', 'text', (column) => column.primaryKey())
          .addColumn('username', text, (column) => column.notNull().unique())
          .addColumn('display_name', 'text', (column) => column.notNull())
          .addColumn('password_hash', 'text')
          .addColumn('grants', 'text', (column) => column.notNull())
          .addColumn('is_disabled', 'bigint', (column) => column.notNull())
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .addColumn('last_login_at', 'bigint')
          .addColumn('managed_by', 'text')
          .execute()
        await db.schema
          .createTable('admin_session')
          .addColumn('id', text, (column) => column.primaryKey())
          .addColumn('digest', 'text', (column) => column.notNull().unique())
          .addColumn('operator_id', 'text', ofOperator)
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .addColumn('used_at', 'bigint', (column) => column.notNull())
          .addColumn('expires_at', 'bigint', (column) => column.notNull())
          .addColumn('address', 'text', (column) => column.notNull())
          .addColumn('user_agent', 'text', (column) => column.notNull())
          .execute()
        await db.schema
          .createTable('admin_token')
          .addColumn('id', text, (column) => column.primaryKey())
          .addColumn('digest', 'text', (column) => column.notNull().unique())
          .addColumn('operator_id', 'text', ofOperator)
          .addColumn('name', text, (column) => column.notNull())
          .addColumn('grants', 'text', (column) => column.notNull())
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .addColumn('used_at', 'bigint')
          .addColumn('expires_at', 'bigint', (column) => column.notNull())
          .execute()
        await db.schema
          .createIndex('admin_operator_by_created')
          .on('admin_operator')
          .columns(['created_at', 'username'])
          .execute()
        for (const table of ['admin_session', 'admin_token']) {
          await db.schema
            .createIndex(`${table}_by_operator`)
            .on(table)
            .columns(['operator_id', 'created_at', 'id'])
            .execute()
        }
      },
    },
  }
}

function ofOperator(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull().references('admin_operator.id').onDelete('cascade')
}
