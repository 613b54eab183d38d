import type { Kysely } from 'kysely'
import type { Migrations } from '../database/migrate.ts'
import { writeList } from '../database/stored-texts.ts'

/** A program that may ask one service for access tokens. Scopes are separated by blanks, as OAuth writes them. */
interface OAuthClientRow {
  service: string
  client_id: string
  /** argon2id of the client's secret. */
  secret_hash: string
  /** A list as JSON, since the ids of accounts may have blanks. */
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
  '0002-accounts-as-json': {
    /**
     * Accounts were separated by blanks. Where there is one, it may be part of an id: the client gets no account
     * until it is provisioned, which those that the configuration names are at each start.
     */
    async up(db: Kysely<OAuthTables>) {
      const clients = await db.selectFrom('oauth_client').selectAll().execute()
      for (const { service, client_id, accounts } of clients) {
        const isOne = accounts !== '' && !accounts.includes(' ')
        await db
          .updateTable('oauth_client')
          .set({ accounts: writeList(isOne ? [accounts] : []) })
          .where('service', '=', service)
          .where('client_id', '=', client_id)
          .execute()
      }
    },
  },
}
