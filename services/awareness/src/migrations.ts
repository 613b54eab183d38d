import { randomUUID } from 'node:crypto'
import { createListingIndex, type Migrations } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { type AwarenessTables, keyNameOf } from './tables.ts'

/** Makes the tables of `tables.ts`, in the order in which they are listed here; released ones never change. */
export const awarenessMigrations: Migrations = {
  '0001-users-keys-and-tokens': {
    async up(db) {
      await db.schema
        .createTable('awareness_user')
        .addColumn('username', 'text', (column) => column.primaryKey())
        .addColumn('password_hash', 'text', (column) => column.notNull())
        .addColumn('permissions', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('awareness_api_key')
        .addColumn('digest', 'text', (column) => column.primaryKey())
        .addColumn('username', 'text')
        .addColumn('allowed_addresses', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('awareness_token')
        .addColumn('digest', 'text', (column) => column.primaryKey())
        .addColumn('username', 'text', (column) =>
          column.notNull().references('awareness_user.username').onDelete('cascade'),
        )
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('issued_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('awareness_token_expiry')
        .on('awareness_token')
        .column('expires_at')
        .execute()
    },
  },
  '0002-calls': {
    async up(db) {
      await db.schema
        .createTable('awareness_call_server')
        .addColumn('server', 'text', (column) => column.primaryKey())
        .addColumn('flushed_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('awareness_call')
        .addColumn('server', 'text', (column) => column.notNull())
        .addColumn('flushed_at', 'bigint', (column) => column.notNull())
        .addColumn('username', 'text', (column) => column.notNull())
        .addColumn('called_at', 'bigint', (column) => column.notNull())
        .addColumn('calls', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('awareness_call_key', ['server', 'flushed_at', 'username', 'called_at'])
        .execute()
    },
  },
  '0003-campaigns': {
    async up(db) {
      await db.schema
        .createTable('awareness_campaign')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint')
        .addColumn('launched_at', 'bigint')
        .addColumn('completed_at', 'bigint')
        .addColumn('sent', 'bigint', (column) => column.notNull())
        .addColumn('opened', 'bigint', (column) => column.notNull())
        .addColumn('clicked', 'bigint', (column) => column.notNull())
        .addColumn('submitted', 'bigint', (column) => column.notNull())
        .addColumn('reported', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
  '0004-servers': {
    async up(db) {
      await db.schema
        .createTable('awareness_server')
        .addColumn('server', 'text', (column) => column.primaryKey())
        .addColumn('beats', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
  '0005-administration': {
    async up(db: Kysely<AwarenessTables>) {
      for (const table of ['awareness_user', 'awareness_api_key', 'awareness_campaign']) {
        await db.schema.alterTable(table).addColumn('managed_by', 'text').execute()
      }
      for (const column of ['id', 'name']) {
        await db.schema
          .alterTable('awareness_api_key')
          .addColumn(column, 'text', (definition) => definition.notNull().defaultTo(''))
          .execute()
      }
      for (const { digest } of await db.selectFrom('awareness_api_key').select('digest').execute()) {
        const id = randomUUID()
        await db
          .updateTable('awareness_api_key')
          .set({ id, name: keyNameOf(id) })
          .where('digest', '=', digest)
          .execute()
      }
      await db.schema
        .createIndex('awareness_api_key_id')
        .unique()
        .on('awareness_api_key')
        .column('id')
        .execute()
      const name = { column: 'name', type: 'text' } as const
      const keyId = { column: 'id', type: 'text' } as const
      const campaignId = { column: 'id', type: 'number' } as const
      for (const [index, table, columns] of [
        ['awareness_user_by_name', 'awareness_user', [{ column: 'username', type: 'text' }]],
        ['awareness_api_key_by_name', 'awareness_api_key', [name, keyId]],
        ['awareness_api_key_by_user', 'awareness_api_key', ['username', name, keyId]],
        ['awareness_campaign_by_name', 'awareness_campaign', [name, campaignId]],
        ['awareness_campaign_by_status', 'awareness_campaign', ['status', campaignId]],
        ['awareness_campaign_by_status_name', 'awareness_campaign', ['status', name, campaignId]],
      ] as const) {
        await createListingIndex(db, { name: index, table, columns })
      }
      // Tokens of a user are counted and ended together.
      await db.schema.createIndex('awareness_token_user').on('awareness_token').column('username').execute()
    },
  },
}
