import type { Migrations } from '@palisade/platform'
import { sql } from 'kysely'

/** Makes the tables of `tables.ts`, in the order in which they are listed here; released ones never change. */
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
  '0007-acme': {
    async up(db) {
      await db.schema
        .createTable('firewall_acme_account')
        .addColumn('directory', 'text', (column) => column.primaryKey())
        .addColumn('private_key', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('firewall_acme_challenge')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('document', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('firewall_acme_certificate')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('serial', 'text', (column) => column.notNull())
        .addColumn('renew_at', 'bigint', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('failures', 'integer', (column) => column.notNull())
        .addColumn('problem', 'text', (column) => column.notNull())
        .addColumn('lease_holder', 'text', (column) => column.notNull())
        .addColumn('lease_until', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('firewall_acme_certificate_due')
        .on('firewall_acme_certificate')
        .column('due_at')
        .execute()
    },
  },
  '0008-acme-listeners-and-orders': {
    async up(db) {
      await db.schema
        .alterTable('firewall_acme_certificate')
        .addColumn('ongoing_order', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
      await db.schema
        .alterTable('firewall_acme_account')
        .addColumn('paused_until', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
      await db.schema
        .createTable('firewall_acme_listener')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('chain', 'text', (column) => column.notNull())
        .addColumn('private_key', 'text', (column) => column.notNull())
        .addColumn('serial', 'text', (column) => column.notNull())
        .addColumn('directory', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '0009-rejected-proposals': {
    async up(db) {
      await db.schema
        .createTable('firewall_rejected_proposal')
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('rejected_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_rejected_proposal_key', ['service', 'id'])
        .execute()
    },
  },
  '0010-deleted-objects': {
    async up(db) {
      await db.schema
        .createTable('firewall_deleted_object')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('version', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_deleted_object_key', ['kind', 'path'])
        .execute()
      for (const table of ['firewall_deleted_object', 'firewall_object']) {
        await db.schema.createIndex(`${table}_version`).on(table).column('version').execute()
      }
      for (const column of ['traced_version', 'traced_since']) {
        await db.schema
          .alterTable('firewall_configuration')
          .addColumn(column, 'bigint', (definition) => definition.notNull().defaultTo(0))
          .execute()
        await db
          .updateTable('firewall_configuration')
          .set({ [column]: sql.ref('version') })
          .execute()
      }
    },
  },
  '0011-sessions-of-operators': {
    async up(db) {
      await db.schema.alterTable('firewall_session').addColumn('operator_credential', 'text').execute()
    },
  },
  '0012-sessions-that-only-read': {
    async up(db) {
      await db.schema
        .alterTable('firewall_session')
        .addColumn('reads_only', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  },
  '0013-stored-requests': {
    async up(db) {
      await db.schema
        .createTable('firewall_stored_request')
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('is_refused', 'integer', (column) => column.notNull())
        .addColumn('stored_at', 'bigint', (column) => column.notNull())
        .addColumn('size', 'integer', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_stored_request_key', ['service', 'id'])
        .execute()
      await db.schema
        .createIndex('firewall_stored_request_order')
        .on('firewall_stored_request')
        .columns(['service', 'is_refused', 'stored_at'])
        .execute()
      await db.schema
        .createTable('firewall_trial')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('taken_at', 'bigint', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .addColumn('answer', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '0014-additive-backups': {
    async up(db) {
      await db.schema
        .createTable('firewall_backup')
        .addColumn('filename', 'text', (column) => column.notNull())
        .addColumn('part', 'integer', (column) => column.notNull())
        .addColumn('size', 'integer', (column) => column.notNull())
        .addColumn('written_at', 'bigint', (column) => column.notNull())
        .addColumn('content', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_backup_key', ['filename', 'part'])
        .execute()
    },
  },
}
