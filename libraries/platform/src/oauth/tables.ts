import type { Migrations } from '../database/migrate.ts'

/** A program that may ask one service for access tokens. Lists are space-separated, as OAuth writes scopes. */
interface OAuthClientRow {
  service: string
  client_id: string
  /** argon2id of the client's secret. */
  secret_hash: string
  accounts: string
  scopes: string
}

interface OAuthTokenRow {
  /** SHA-256 of the token, hexadecimal. The token itself is stored nowhere. */
  digest: string
  service: string
  client_id: string
  scopes: string
  /** Milliseconds since 1970. */
  expires_at: number
}

export interface OAuthTables {
  oauth_client: OAuthClientRow
  oauth_token: OAuthTokenRow
}

/** Makes the tables of {@link OAuthTables}; applied once for all services that issue access tokens. */
export const oauthMigrations: Migrations = {
  '0001-clients-and-tokens': {
    async up(db) {
      await db.schema
        .createTable('oauth_client')
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('secret_hash', 'text', (column) => column.notNull())
        .addColumn('accounts', 'text', (column) => column.notNull())
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('oauth_client_key', ['service', 'client_id'])
        .execute()
      await db.schema
        .createTable('oauth_token')
        .addColumn('digest', 'text', (column) => column.primaryKey())
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addForeignKeyConstraint(
          'oauth_token_client',
          ['service', 'client_id'],
          'oauth_client',
          ['service', 'client_id'],
          (constraint) => constraint.onDelete('cascade'),
        )
        .execute()
    },
  },
}
