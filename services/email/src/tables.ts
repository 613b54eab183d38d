import type { Migrations } from '@palisade/platform'

export interface EmailTables {
  email_account: { id: string; name: string; region: string }
  email_domain: { account_id: string; id: number; name: string; status: string; type: string }
}

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
}
