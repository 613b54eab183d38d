import type { Migrations } from '@palisade/platform'

export interface FirewallTables {
  /** Tokens that are valid, by the SHA-256 of their reduced text. */
  firewall_token: {
    digest: string
    username: string
    /** The SHA-256 of the stored password when the token was issued: another password ends the token. */
    stamp: string
    issued_at: number
    expires_at: number
  }
  /** Failed logins of one name, whether there is an administrator of that name or not. */
  firewall_failed_login: {
    /** The SHA-256 of the name. */
    name_digest: string
    failures: number
    first_failed_at: number
    /** 0 unless locked. */
    locked_until: number
  }
  /** One row: the number of the newest change. */
  firewall_configuration: { id: number; version: number }
  /** Objects that differ from the factory's configuration, of every kind. */
  firewall_object: {
    kind: string
    /** The names of the objects around it and its own, as a JSON array. */
    path: string
    /** The object's content as JSON, its secrets sealed. */
    document: string
    /** The version that brought this content. */
    version: number
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
  '0002-administrators-are-objects': {
    async up(db) {
      await db.schema
        .alterTable('firewall_object')
        .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
      const administrators = await db.selectFrom('firewall_administrator').selectAll().execute()
      for (const { username, password_hash, role } of administrators) {
        const values = { name: username, password: password_hash, role }
        const document = JSON.stringify({ values, sections: {} })
        await db
          .insertInto('firewall_object')
          .values({ kind: 'user', path: JSON.stringify([username]), document })
          .execute()
      }
      // The audit log tells who changed what.
      await db.schema.dropTable('firewall_change').execute()
      await db.schema.dropTable('firewall_token').execute()
      await db.schema.dropTable('firewall_administrator').execute()
      await db.schema
        .createTable('firewall_token')
        .addColumn('digest', 'text', (column) => column.primaryKey())
        .addColumn('username', 'text', (column) => column.notNull())
        .addColumn('stamp', 'text', (column) => column.notNull())
        .addColumn('issued_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('firewall_token_expires')
        .on('firewall_token')
        .column('expires_at')
        .execute()
      await db.schema
        .createTable('firewall_failed_login')
        .addColumn('name_digest', 'text', (column) => column.primaryKey())
        .addColumn('failures', 'integer', (column) => column.notNull())
        .addColumn('first_failed_at', 'bigint', (column) => column.notNull())
        .addColumn('locked_until', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
}
