import { createListingIndex, type Migrations } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { dnsNameOf } from './dns/dns-name.ts'
import type { EmailTables } from './tables.ts'

/** Makes the tables of `tables.ts`, in the order in which they are listed here; released ones never change. */
export const emailMigrations: Migrations = {
  '0001-accounts-and-domains': {
    async up(db) {
      await db.schema
        .createTable('email_account')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('region', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('email_domain')
        .addColumn('account_id', 'text', (column) => column.notNull().references('email_account.id'))
        .addColumn('id', 'bigint', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('email_domain_key', ['account_id', 'id'])
        .addUniqueConstraint('email_domain_name', ['account_id', 'name'])
        .execute()
    },
  },
  '0002-verification': {
    async up(db) {
      await db.schema.alterTable('email_domain').addColumn('dns_name', 'text').execute()
      for (const { account_id, id, name } of await db.selectFrom('email_domain').selectAll().execute()) {
        await db
          .updateTable('email_domain')
          .set({ dns_name: dnsNameOf(name) ?? null })
          .where('account_id', '=', account_id)
          .where('id', '=', id)
          .execute()
      }
      await db.schema
        .createIndex('email_domain_by_dns_name')
        .on('email_domain')
        .columns(['dns_name'])
        .execute()
      await db.schema
        .createTable('email_verification')
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addColumn('domain_id', 'bigint', (column) => column.notNull())
        .addColumn('token', 'text', (column) => column.notNull().unique())
        .addColumn('requested_at', 'bigint', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('taken_at', 'bigint', (column) => column.notNull())
        .addColumn('looked_at', 'bigint')
        .addColumn('verified_at', 'bigint')
        .addColumn('verified_name', 'text', (column) => column.unique())
        .addColumn('misses', 'bigint', (column) => column.notNull())
        .addColumn('failure', 'text')
        .addPrimaryKeyConstraint('email_verification_key', ['account_id', 'domain_id'])
        .addForeignKeyConstraint('email_verification_domain', ['account_id', 'domain_id'], 'email_domain', [
          'account_id',
          'id',
        ])
        .execute()
      await db.schema
        .createIndex('email_verification_due')
        .on('email_verification')
        .columns(['due_at'])
        .execute()
    },
  },
  '0003-account-status': {
    async up(db) {
      await db.schema
        .alterTable('email_account')
        .addColumn('status', 'text', (column) => column.notNull().defaultTo('ACTIVE'))
        .execute()
    },
  },
  '0004-statistics': {
    async up(db) {
      await db.schema
        .createTable('email_mail_report')
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addColumn('domain_id', 'bigint', (column) => column.notNull())
        .addColumn('report', 'text', (column) => column.notNull())
        .addColumn('received_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('email_mail_report_key', ['account_id', 'domain_id', 'report'])
        .addForeignKeyConstraint('email_mail_report_domain', ['account_id', 'domain_id'], 'email_domain', [
          'account_id',
          'id',
        ])
        .execute()
      await db.schema
        .createIndex('email_mail_report_received')
        .on('email_mail_report')
        .columns(['received_at'])
        .execute()
      await db.schema
        .createTable('email_mail_count')
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addColumn('domain_id', 'bigint', (column) => column.notNull())
        .addColumn('hour_at', 'bigint', (column) => column.notNull())
        .addColumn('direction', 'text', (column) => column.notNull())
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('threat_type', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('messages', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('email_mail_count_key', [
          'account_id',
          'domain_id',
          'hour_at',
          'direction',
          'action',
          'threat_type',
          'reason',
        ])
        .addForeignKeyConstraint('email_mail_count_domain', ['account_id', 'domain_id'], 'email_domain', [
          'account_id',
          'id',
        ])
        .execute()
      await db.schema
        .createIndex('email_mail_count_hour')
        .on('email_mail_count')
        .columns(['account_id', 'hour_at'])
        .execute()
    },
  },
  '0005-administration': {
    async up(db: Kysely<EmailTables>) {
      for (const table of ['email_account', 'email_domain']) {
        await db.schema.alterTable(table).addColumn('managed_by', 'text').execute()
      }
      const name = { column: 'name', type: 'text' } as const
      const accountId = { column: 'id', type: 'text' } as const
      const domainId = { column: 'id', type: 'number' } as const
      for (const [index, table, columns] of [
        ['email_account_by_id', 'email_account', [accountId]],
        ['email_account_by_name', 'email_account', [name, accountId]],
        ['email_account_by_status', 'email_account', ['status', accountId]],
        ['email_account_by_status_name', 'email_account', ['status', name, accountId]],
        ['email_domain_by_name', 'email_domain', ['account_id', name, domainId]],
        ['email_domain_by_status', 'email_domain', ['account_id', 'status', name, domainId]],
      ] as const) {
        await createListingIndex(db, { name: index, table, columns })
      }
    },
  },
}
