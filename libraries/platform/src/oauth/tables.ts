import type { Kysely } from 'kysely'
import { createListingIndex } from '../administration/select-page.ts'
import type { Migrations } from '../database/migrate.ts'
import { writeList } from '../database/stored-texts.ts'

/** A program that may ask one service for access tokens. Scopes are separated by blanks, as OAuth writes them. */
interface OAuthClientRow {
  service: string
  client_id: string
  /** argon2id of the client's secret. */
  secret_hash: string
  /** Rises with each new secret; tokens have that of the secret which they were issued for. */
  secret_version: number
  /** That of the secret before, which goes on until `former_secret_ends_at`; null when there is none. */
  former_secret_hash: string | null
  former_secret_ends_at: number | null
  /** A list as JSON, since the ids of accounts may have blanks. */
  accounts: string
  scopes: string
  /** The configuration file that names the client; null where it is administered at run time. */
  managed_by: string | null
}

interface OAuthTokenRow {
  /** SHA-256 of the token, hexadecimal. The token itself is stored nowhere. */
  digest: string
  service: string
  client_id: string
  secret_version: number
  scopes: string
  /** Milliseconds since 1970. */
  expires_at: number
}

/** The tables of API clients, their access tokens and accounts, for kysely. */
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
  '0003-administered-clients': {
    async up(db: Kysely<unknown>) {
      for (const table of ['oauth_client', 'oauth_token']) {
        await db.schema
          .alterTable(table)
          .addColumn('secret_version', 'bigint', (column) => column.notNull().defaultTo(1))
          .execute()
      }
      await db.schema.alterTable('oauth_client').addColumn('former_secret_hash', 'text').execute()
      await db.schema.alterTable('oauth_client').addColumn('former_secret_ends_at', 'bigint').execute()
      await db.schema.alterTable('oauth_client').addColumn('managed_by', 'text').execute()
      await createListingIndex(db, {
        name: 'oauth_client_by_id',
        table: 'oauth_client',
        columns: ['service', { column: 'client_id', type: 'text' }],
      })
      // Tokens of a client are counted and ended together.
      await db.schema
        .createIndex('oauth_token_by_client')
        .on('oauth_token')
        .columns(['service', 'client_id'])
        .execute()
    },
  },
}
