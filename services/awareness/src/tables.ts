import type { Migrations } from '@palisade/platform'

interface UserRow {
  username: string
  /** argon2id of the password. */
  password_hash: string
  /** A list of texts, as JSON. */
  permissions: string
}

interface ApiKeyRow {
  /** Keyed digest of the key (HMAC-SHA-256, hexadecimal). The key itself is stored nowhere. */
  digest: string
  /** The only user who may use the key, or null. */
  username: string | null
  /** A list of addresses and networks, as JSON; from anywhere when empty. */
  allowed_addresses: string
}

interface TokenRow {
  /** SHA-256 of the token, hexadecimal. The token itself is stored nowhere. */
  digest: string
  username: string
  /** The client address that fetched the token, the only one that may use it. */
  address: string
  /** Milliseconds since 1970, like all times here. */
  issued_at: number
  expires_at: number
}

/** A server that counts calls, and the newest of its flushes. */
interface CallServerRow {
  server: string
  flushed_at: number
}

/** Calls that one user made in one millisecond through one server. Written once, never changed. */
interface CallRow {
  server: string
  flushed_at: number
  username: string
  called_at: number
  calls: number
}

export interface CampaignRow {
  id: number
  name: string
  status: string
  created_at: number | null
  launched_at: number | null
  completed_at: number | null
  sent: number
  opened: number
  clicked: number
  submitted: number
  reported: number
}

export interface AwarenessTables {
  awareness_user: UserRow
  awareness_api_key: ApiKeyRow
  awareness_token: TokenRow
  awareness_call_server: CallServerRow
  awareness_call: CallRow
  awareness_server: { server: string; beats: number }
  awareness_campaign: CampaignRow
}

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
}
