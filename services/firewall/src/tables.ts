import type { Migrations } from '@palisade/platform'

export interface FirewallTables {
  /** Who may log in. */
  firewall_administrator: { username: string; password_hash: string; role: string }
  /** Tokens that are valid, by the SHA-256 of their reduced text. */
  firewall_token: { digest: string; username: string; issued_at: number; expires_at: number }
  /** One row: the number of the newest change. */
  firewall_configuration: { id: number; version: number }
  /** Objects that differ from the factory's configuration, of every kind. */
  firewall_object: {
    kind: string
    /** The names of the objects around it and its own, as a JSON array. */
    path: string
    /** The object's content as JSON. */
    document: string
  }
  /** Who changed what, one row for each version. */
  firewall_change: {
    version: number
    changed_at: number
    username: string
    address: string
    action: string
    kind: string
    path: string
    /** The members that changed and their new values as JSON, secrets hidden. */
    details: string
  }
}

export const firewallMigrations: Migrations = {
  '0001-configuration-and-access': {
    async up(db) {
      await db.schema
        .createTable('firewall_administrator')
        .addColumn('username', 'text', (column) => column.primaryKey())
        .addColumn('password_hash', 'text', (column) => column.notNull())
        .addColumn('role', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('firewall_token')
        .addColumn('digest', 'text', (column) => column.primaryKey())
        .addColumn('username', 'text', (column) =>
          column.notNull().references('firewall_administrator.username').onDelete('cascade'),
        )
        .addColumn('issued_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema.createIndex('firewall_token_expiry').on('firewall_token').column('expires_at').execute()
      await db.schema
        .createTable('firewall_configuration')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('version', 'bigint', (column) => column.notNull())
        .execute()
      await db.insertInto('firewall_configuration').values({ id: 1, version: 0 }).execute()
      await db.schema
        .createTable('firewall_object')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_object_key', ['kind', 'path'])
        .execute()
      await db.schema
        .createTable('firewall_change')
        .addColumn('version', 'bigint', (column) => column.primaryKey())
        .addColumn('changed_at', 'bigint', (column) => column.notNull())
        .addColumn('username', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('details', 'text', (column) => column.notNull())
        .execute()
    },
  },
}
