import { createListingIndex, type Migrations, type Store } from '@palisade/platform'
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

/** Times are milliseconds since 1970, as in all tables. */
interface OperatorRow {
  id: string
  username: string
  display_name: string
  /** argon2id of the password; null of one who has none, and cannot log in with it. */
  password_hash: string | null
  /** A list of grants, as JSON. */
  grants: string
  /** The secret of his authenticator, sealed; null where he has none. */
  totp_secret: string | null
  /** 1 once he has shown that his authenticator has it: from then on each login needs a code. */
  totp_confirmed: number
  /** The time step of the code that was taken last: none is taken twice. */
  totp_step: number
  /** 1 where he may neither log in nor use what he has. */
  is_disabled: number
  created_at: number
  last_login_at: number | null
  /** The configuration file that names him; null where he is administered at run time. */
  managed_by: string | null
}

interface SessionRow {
  id: string
  /** SHA-256 of what the cookie holds, hexadecimal. */
  digest: string
  operator_id: string
  created_at: number
  used_at: number
  expires_at: number
  address: string
  user_agent: string
  /** The issuer where he has signed in for it; null after a login here. */
  issuer: string | null
  /** The ID token of the sign-in, sealed; null after a login here. */
  id_token: string | null
  /** The session there, where the provider tells it. */
  sid: string | null
}

/** Somebody whom a provider of OpenID Connect knows, and the operator that he is. */
interface OpenIdIdentityRow {
  issuer: string
  subject: string
  /** Null once the operator was removed: he is not made anew. */
  operator_id: string | null
}

/** A WebAuthn credential. */
interface PasskeyRow {
  id: string
  operator_id: string
  /** As the authenticator names it, base64url. */
  credential_id: string
  /** COSE, base64url. */
  public_key: string
  /** How often it has signed, as it says; 0 of those that do not count. */
  counter: number
  /** How browsers reach it, a list as JSON. */
  transports: string
  name: string
  created_at: number
  used_at: number | null
}

/** A sealed ticket of a login that was used: none is used twice. */
interface SpentTicketRow {
  id: string
  expires_at: number
}

interface TokenRow {
  id: string
  /** SHA-256 of the token, hexadecimal. */
  digest: string
  operator_id: string
  name: string
  /** A list of grants, as JSON: of what the operator may, the token may no more than this. */
  grants: string
  created_at: number
  used_at: number | null
  expires_at: number
}

/** A condition that somebody should do something about, or that has passed. */
interface AttentionRow {
  id: string
  /** The server that it is about alone; empty when it is about what all servers share. */
  server: string
  service: string
  condition: string
  subject: string
  severity: string
  message: string
  remedy: string
  since: number
  seen_at: number
  /** Null while it lasts. */
  resolved_at: number | null
}

/** Word of a condition that goes to one channel. */
interface NotificationRow {
  id: string
  channel: string
  /** `raised`, `resolved` or `test`. */
  kind: string
  /** Null of a test. */
  attention_id: string | null
  created_at: number
  due_at: number
  /** The message that it was put into; a message that is sent again keeps its name. */
  delivery: string | null
  sent_at: number | null
}

/** A channel, and how sending to it goes. */
interface ChannelRow {
  name: string
  /** Its settings with their secrets, JSON, sealed; null of one that the configuration of an earlier release had. */
  settings: string | null
  /** The configuration file that names it; null where it is administered at run time. */
  managed_by: string | null
  /** The server that sends now, and until when the others leave it alone. */
  holder: string | null
  leased_until: number
  /** After failures: when it is tried again, how often it failed in a row, since when, and why. */
  retry_at: number
  failures: number
  failing_since: number | null
  failure: string | null
}

/** Which conditions are told to which channels. */
interface RouteRow {
  id: string
  /** What it says, as JSON. */
  definition: string
  created_at: number
  managed_by: string | null
}

/** The tables of the administration, by name. What is JSON in them is text, what is yes or no 1 or 0. */
export interface AdministrationTables {
  admin_operator: OperatorRow
  admin_session: SessionRow
  admin_token: TokenRow
  admin_openid_identity: OpenIdIdentityRow
  admin_passkey: PasskeyRow
  admin_spent_ticket: SpentTicketRow
  admin_attention: AttentionRow
  admin_notification: NotificationRow
  admin_channel: ChannelRow
  admin_route: RouteRow
}

/** Makes the tables of {@link AdministrationTables}. */
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
