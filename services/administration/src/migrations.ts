import { createListingIndex, type Migrations, type Store } from '@palisade/platform'
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

/** Makes the tables of `tables.ts`, in the order in which they are listed here; released ones never change. */
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
    '0002-attention': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('admin_attention')
          .addColumn('id', text, (column) => column.primaryKey())
          .addColumn('server', 'text', (column) => column.notNull())
          .addColumn('service', 'text', (column) => column.notNull())
          .addColumn('condition', 'text', (column) => column.notNull())
          .addColumn('subject', 'text', (column) => column.notNull())
          .addColumn('severity', 'text', (column) => column.notNull())
          .addColumn('message', 'text', (column) => column.notNull())
          .addColumn('remedy', 'text', (column) => column.notNull())
          .addColumn('since', 'bigint', (column) => column.notNull())
          .addColumn('seen_at', 'bigint', (column) => column.notNull())
          .addColumn('resolved_at', 'bigint')
          .execute()
        // Of several servers that see a condition begin, one adds it.
        await db.schema
          .createIndex('admin_attention_open')
          .on('admin_attention')
          .columns(['server', 'service', 'condition', 'subject'])
          .unique()
          .where(sql.ref('resolved_at'), 'is', null)
          .execute()
        await db.schema
          .createIndex('admin_attention_by_since')
          .on('admin_attention')
          .columns(['since', 'id'])
          .execute()
        await db.schema
          .createTable('admin_notification')
          .addColumn('id', 'text', (column) => column.primaryKey())
          .addColumn('channel', 'text', (column) => column.notNull())
          .addColumn('kind', 'text', (column) => column.notNull())
          .addColumn('attention_id', 'text', (column) =>
            column.references('admin_attention.id').onDelete('cascade'),
          )
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .addColumn('due_at', 'bigint', (column) => column.notNull())
          .addColumn('delivery', 'text')
          .addColumn('sent_at', 'bigint')
          .execute()
        await db.schema
          .createIndex('admin_notification_by_channel')
          .on('admin_notification')
          .columns(['channel', 'sent_at', 'due_at'])
          .execute()
        await db.schema
          .createIndex('admin_notification_by_attention')
          .on('admin_notification')
          .columns(['attention_id'])
          .execute()
        await db.schema
          .createTable('admin_channel')
          .addColumn('name', 'text', (column) => column.primaryKey())
          .addColumn('holder', 'text')
          .addColumn('leased_until', 'bigint', (column) => column.notNull())
          .addColumn('retry_at', 'bigint', (column) => column.notNull())
          .addColumn('failures', 'bigint', (column) => column.notNull())
          .addColumn('failing_since', 'bigint')
          .addColumn('failure', 'text')
          .execute()
      },
    },
    '0003-second-factor': {
      async up(db: Kysely<unknown>) {
        await db.schema.alterTable('admin_operator').addColumn('totp_secret', 'text').execute()
        for (const column of ['totp_confirmed', 'totp_step']) {
          await db.schema
            .alterTable('admin_operator')
            .addColumn(column, 'bigint', (added) => added.notNull().defaultTo(0))
            .execute()
        }
      },
    },
    '0004-channels-and-routes': {
      async up(db: Kysely<unknown>) {
        // Few of many that have passed: without it a page looks at all of them.
        for (const column of ['condition', 'service']) {
          await db.schema
            .createIndex(`admin_attention_by_${column}`)
            .on('admin_attention')
            .columns([column, 'since', 'id'])
            .execute()
        }
        for (const column of ['settings', 'managed_by']) {
          await db.schema.alterTable('admin_channel').addColumn(column, 'text').execute()
        }
        await createListingIndex(db, {
          name: 'admin_channel_by_name',
          table: 'admin_channel',
          columns: [{ column: 'name', type: 'text' }],
        })
        await db.schema
          .createTable('admin_route')
          .addColumn('id', text, (column) => column.primaryKey())
          .addColumn('definition', 'text', (column) => column.notNull())
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .addColumn('managed_by', 'text')
          .execute()
        await db.schema
          .createIndex('admin_route_by_created')
          .on('admin_route')
          .columns(['created_at', 'id'])
          .execute()
      },
    },
    '0005-single-sign-on-and-passkeys': {
      async up(db: Kysely<unknown>) {
        for (const column of ['issuer', 'id_token']) {
          await db.schema.alterTable('admin_session').addColumn(column, 'text').execute()
        }
        await db.schema
          .createTable('admin_openid_identity')
          .addColumn('issuer', 'text', (column) => column.notNull())
          .addColumn('subject', 'text', (column) => column.notNull())
          .addColumn('operator_id', 'text', (column) =>
            column.unique().references('admin_operator.id').onDelete('set null'),
          )
          .addPrimaryKeyConstraint('admin_openid_identity_key', ['issuer', 'subject'])
          .execute()
        await db.schema
          .createTable('admin_passkey')
          .addColumn('id', text, (column) => column.primaryKey())
          .addColumn('operator_id', 'text', ofOperator)
          .addColumn('credential_id', 'text', (column) => column.notNull().unique())
          .addColumn('public_key', 'text', (column) => column.notNull())
          .addColumn('counter', 'bigint', (column) => column.notNull())
          .addColumn('transports', 'text', (column) => column.notNull())
          .addColumn('name', text, (column) => column.notNull())
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .addColumn('used_at', 'bigint')
          .execute()
        await db.schema
          .createIndex('admin_passkey_by_operator')
          .on('admin_passkey')
          .columns(['operator_id', 'created_at', 'id'])
          .execute()
        await db.schema
          .createTable('admin_spent_ticket')
          .addColumn('id', 'text', (column) => column.primaryKey())
          .addColumn('expires_at', 'bigint', (column) => column.notNull())
          .execute()
      },
    },
    '0006-sessions-at-providers': {
      async up(db: Kysely<unknown>) {
        await db.schema.alterTable('admin_session').addColumn('sid', 'text').execute()
      },
    },
  }
}

function ofOperator(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull().references('admin_operator.id').onDelete('cascade')
}
