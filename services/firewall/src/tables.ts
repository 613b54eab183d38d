import type { Migrations } from '@palisade/platform'
import { sql } from 'kysely'

export interface FirewallTables {
  /** Tokens that are valid, by the SHA-256 of their reduced text. */
  firewall_token: {
    digest: string
    username: string
    /** The SHA-256 of the stored password when the token was issued: another password ends the token. */
    stamp: string
    /** The login that it comes from: it is valid as long as that row is there. */
    session: string
    issued_at: number
    expires_at: number
  }
  /** Logins that were not ended; a row for each. */
  firewall_session: {
    /** Random, and told to nobody. */
    id: string
    /** When the last of its tokens expires. */
    expires_at: number
  }
  /**
   * Failed logins with one name from one network, whether there is an administrator of that name or not. Without the
   * network: with the name from anywhere; without the name: from the network with any.
   */
  firewall_failed_login: {
    /** The SHA-256 of the name, or empty. */
    name_digest: string
    /** An IPv4 address, the first 64 bits of an IPv6 address, or empty. */
    network: string
    failures: number
    first_failed_at: number
    /** 0 unless locked. */
    locked_until: number
  }
  /** Networks from which somebody has logged in with a name. */
  firewall_familiar_network: {
    /** The SHA-256 of the name. */
    name_digest: string
    network: string
    /** When he did so last, to the day. */
    last_at: number
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
  /** Earlier states of the configuration that are kept. */
  firewall_checkpoint: {
    name: string
    comment: string
    /** 1 when the system made it before a great change. */
    is_automatic: number
    created_at: number
    created_by: string
    configuration_version: number
    /** A full configuration document; see docs/formats/firewall-configuration.md. */
    document: string
  }
  /** Long operations: the running ones, and the last that ended. */
  firewall_job: {
    id: string
    operation: string
    state: 'running' | 'succeeded' | 'failed'
    username: string
    started_at: number
    /** When the server that runs it was last known to be alive. */
    touched_at: number
    /** 0 as long as it runs. */
    finished_at: number
    /** A JSON array of sentences. */
    messages: string
  }
  /** Clients that a service does not serve for a while. */
  firewall_locked_out_client: {
    service: string
    /** An IP address or a fingerprint. */
    client: string
    reason: string
    locked_at: number
    locked_until: number
  }
  /** What proxies learnt of the applications behind services. */
  firewall_learnt_url: {
    service: string
    /** The SHA-256 of what tells it from others of the service. */
    digest: string
    /** A `LearntUrl` as JSON. */
    document: string
    last_at: number
  }
  /** OpenAPI documents, and what was made of them. */
  firewall_api_description: {
    name: string
    service: string
    document: string
    /** The objects that were created from it, as a JSON array of [kind, path]; empty unless applied. */
    objects: string
    uploaded_at: number
    uploaded_by: string
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
  '0003-checkpoints': {
    async up(db) {
      await db.schema
        .createTable('firewall_checkpoint')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('comment', 'text', (column) => column.notNull())
        .addColumn('is_automatic', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('configuration_version', 'bigint', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('firewall_job')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('operation', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('username', 'text', (column) => column.notNull())
        .addColumn('started_at', 'bigint', (column) => column.notNull())
        .addColumn('touched_at', 'bigint', (column) => column.notNull())
        .addColumn('finished_at', 'bigint', (column) => column.notNull())
        .addColumn('messages', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('firewall_locked_out_client')
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('client', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('locked_at', 'bigint', (column) => column.notNull())
        .addColumn('locked_until', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_locked_out_client_key', ['service', 'client'])
        .execute()
      await db.schema
        .createTable('firewall_api_description')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .addColumn('objects', 'text', (column) => column.notNull())
        .addColumn('uploaded_at', 'bigint', (column) => column.notNull())
        .addColumn('uploaded_by', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '0004-learnt-urls': {
    async up(db) {
      await db.schema
        .createTable('firewall_learnt_url')
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('digest', 'text', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .addColumn('last_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_learnt_url_key', ['service', 'digest'])
        .execute()
    },
  },
  '0005-sessions': {
    async up(db) {
      await db.schema
        .createTable('firewall_session')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('firewall_session_expires')
        .on('firewall_session')
        .column('expires_at')
        .execute()
      await db.schema
        .alterTable('firewall_token')
        .addColumn('session', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
      // Which of the tokens that are there came from one login is not known: each becomes a session of its own.
      await db.updateTable('firewall_token').set({ session: sql`digest` }).execute()
      await db
        .insertInto('firewall_session')
        .columns(['id', 'expires_at'])
        .expression(db.selectFrom('firewall_token').select(['digest', 'expires_at']))
        .execute()
      await db.schema.createIndex('firewall_token_session').on('firewall_token').column('session').execute()
    },
  },
  '0006-failed-logins-by-network': {
    async up(db) {
      // What is lost are the locks of minutes.
      await db.schema.dropTable('firewall_failed_login').execute()
      await db.schema
        .createTable('firewall_failed_login')
        .addColumn('name_digest', 'text', (column) => column.notNull())
        .addColumn('network', 'text', (column) => column.notNull())
        .addColumn('failures', 'integer', (column) => column.notNull())
        .addColumn('first_failed_at', 'bigint', (column) => column.notNull())
        .addColumn('locked_until', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_failed_login_key', ['name_digest', 'network'])
        .execute()
      await db.schema
        .createIndex('firewall_failed_login_first')
        .on('firewall_failed_login')
        .column('first_failed_at')
        .execute()
      await db.schema
        .createTable('firewall_familiar_network')
        .addColumn('name_digest', 'text', (column) => column.notNull())
        .addColumn('network', 'text', (column) => column.notNull())
        .addColumn('last_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_familiar_network_key', ['name_digest', 'network'])
        .execute()
    },
  },
}
