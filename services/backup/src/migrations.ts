import type { Migrations, Store } from '@palisade/platform'
import { sql } from 'kysely'

/** Makes the tables of tables.ts. */
export function backupMigrations(store: Pick<Store, 'characterOrder'>): Migrations {
  return { ...earlierMigrations, ...administrationMigration(store), ...laterMigrations }
}

const earlierMigrations: Migrations = {
  '0001-computers-tasks-and-revisions': {
    async up(db) {
      await db.schema
        .createTable('backup_account')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .execute()
      await db.schema
        .createTable('backup_computer')
        .addColumn('account_id', 'text', (column) => column.notNull().references('backup_account.id'))
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('enrolment_digest', 'text', (column) => column.notNull())
        .addColumn('credential_digest', 'text', (column) => column.unique())
        .addColumn('last_seen_at', 'bigint')
        .addColumn('agent_version', 'text')
        .addColumn('host_name', 'text')
        .addColumn('platform', 'text')
        .addPrimaryKeyConstraint('backup_computer_key', ['account_id', 'id'])
        .execute()
      await db.schema
        .createTable('backup_task')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addColumn('computer_id', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('step', 'text', (column) => column.notNull())
        .addColumn('bytes_done', 'bigint', (column) => column.notNull())
        .addColumn('bytes_total', 'bigint', (column) => column.notNull())
        .addColumn('request', 'text', (column) => column.notNull())
        .addColumn('sealed_credentials', 'text')
        .addColumn('revision_id', 'bigint')
        .addColumn('files', 'text')
        .addColumn('error_code', 'text')
        .addColumn('error_message', 'text')
        .addColumn('started_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addForeignKeyConstraint('backup_task_computer', ['account_id', 'computer_id'], 'backup_computer', [
          'account_id',
          'id',
        ])
        .execute()
      await db.schema
        .createIndex('backup_task_by_age')
        .on('backup_task')
        .columns(['account_id', 'computer_id', 'kind', 'started_at'])
        .execute()
      await db.schema
        .createIndex('backup_task_unfinished')
        .on('backup_task')
        .columns(['account_id', 'computer_id', 'ended_at'])
        .execute()
      await db.schema
        .createTable('backup_revision')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addColumn('computer_id', 'text', (column) => column.notNull())
        .addColumn('backup_id', 'text', (column) => column.notNull().unique())
        .addColumn('device_id', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('chunk_size_bytes', 'bigint', (column) => column.notNull())
        .addColumn('chunk_count', 'bigint', (column) => column.notNull())
        .addColumn('volume', 'text', (column) => column.notNull())
        .addForeignKeyConstraint(
          'backup_revision_computer',
          ['account_id', 'computer_id'],
          'backup_computer',
          ['account_id', 'id'],
        )
        .execute()
      await db.schema
        .createIndex('backup_revision_by_volume')
        .on('backup_revision')
        .columns(['account_id', 'computer_id', 'device_id', 'id'])
        .execute()
      await db.schema
        .createTable('backup_counter')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'bigint', (column) => column.notNull())
        .execute()
      await db.insertInto('backup_counter').values({ name: 'revision', value: 0 }).execute()
    },
  },
  '0002-backup-sets-and-upkeep': {
    async up(db) {
      await db.schema
        .createTable('backup_set')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addColumn('computer_id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('enabled', 'bigint', (column) => column.notNull())
        .addColumn('definition', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('backup_set_by_name', ['account_id', 'computer_id', 'name'])
        .addForeignKeyConstraint('backup_set_computer', ['account_id', 'computer_id'], 'backup_computer', [
          'account_id',
          'id',
        ])
        .execute()
      await db.schema
        .createTable('backup_action')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addColumn('computer_id', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('set_id', 'text')
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('cancel_at', 'bigint')
        .addColumn('ended_at', 'bigint')
        .addForeignKeyConstraint('backup_action_computer', ['account_id', 'computer_id'], 'backup_computer', [
          'account_id',
          'id',
        ])
        .execute()
      await db.schema
        .createIndex('backup_action_unfinished')
        .on('backup_action')
        .columns(['ended_at', 'kind'])
        .execute()
      await db.schema
        .createTable('backup_timer')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('holder', 'text')
        .addColumn('leased_until', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('backup_timer_key', ['kind', 'subject'])
        .execute()
      await db.schema.alterTable('backup_task').addColumn('action_id', 'bigint').execute()
      await db.schema.createIndex('backup_task_by_action').on('backup_task').columns(['action_id']).execute()
      for (const name of ['action_id', 'deleted_at'] as const) {
        await db.schema.alterTable('backup_revision').addColumn(name, 'bigint').execute()
      }
      for (const name of ['set_id', 'hardware', 'verification'] as const) {
        await db.schema.alterTable('backup_revision').addColumn(name, 'text').execute()
      }
      await db.insertInto('backup_counter').values({ name: 'action', value: 0 }).execute()
    },
  },
  '0003-end-to-end-keys-and-revocation': {
    async up(db) {
      for (const table of ['backup_computer', 'backup_revision'] as const) {
        await db.schema.alterTable(table).addColumn('end_to_end_key_check', 'text').execute()
      }
      await db.schema.alterTable('backup_computer').addColumn('revoked_enrolment_digest', 'text').execute()
    },
  },
  '0004-hosts-and-machines': {
    async up(db) {
      await db.schema
        .createTable('backup_host')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addColumn('computer_id', 'text', (column) => column.notNull())
        .addColumn('host_name', 'text', (column) => column.notNull())
        .addColumn('is_local', 'bigint', (column) => column.notNull())
        .addColumn('unsupported', 'text')
        .addColumn('sealed_logon', 'text')
        .addColumn('registered_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('backup_host_by_name', ['account_id', 'computer_id', 'host_name', 'is_local'])
        .addForeignKeyConstraint('backup_host_computer', ['account_id', 'computer_id'], 'backup_computer', [
          'account_id',
          'id',
        ])
        .execute()
      await db.schema
        .createTable('backup_host_session')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('account_id', 'text', (column) => column.notNull())
        .addColumn('computer_id', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addForeignKeyConstraint(
          'backup_host_session_computer',
          ['account_id', 'computer_id'],
          'backup_computer',
          ['account_id', 'id'],
        )
        .execute()
      await db.schema.alterTable('backup_task').addColumn('machine', 'text').execute()
      await db.insertInto('backup_counter').values({ name: 'host', value: 0 }).execute()
    },
  },
  '0005-proofs': {
    async up(db) {
      await db.schema
        .createTable('backup_screenshot')
        .addColumn('restore_id', 'text', (column) => column.primaryKey())
        .addColumn('png', 'text', (column) => column.notNull())
        .execute()
      await db.schema.alterTable('backup_task').addColumn('proof', 'text').execute()
      for (const name of ['proof', 'proof_restore_id'] as const) {
        await db.schema.alterTable('backup_revision').addColumn(name, 'text').execute()
      }
      await db.schema.alterTable('backup_revision').addColumn('proved_bootable_at', 'bigint').execute()
      await db.schema
        .createIndex('backup_revision_by_proof')
        .on('backup_revision')
        .columns(['proof_restore_id'])
        .execute()
    },
  },
  '0006-origins-of-revisions': {
    async up(db) {
      await db.schema.alterTable('backup_revision').addColumn('origin', 'text').execute()
    },
  },
  '0007-warnings-of-backup-sets': {
    async up(db) {
      await db.schema.alterTable('backup_set').addColumn('warning', 'text').execute()
    },
  },
}

const laterMigrations: Migrations = {
  '0009-pinned-revisions': {
    async up(db) {
      await db.schema
        .alterTable('backup_revision')
        .addColumn('is_pinned', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  },
  '0010-additive-origins-of-tasks': {
    async up(db) {
      await db.schema.alterTable('backup_task').addColumn('origin', 'text').execute()
    },
  },
  '0011-additive-served-disks': {
    async up(db) {
      await db.schema.alterTable('backup_task').addColumn('served', 'text').execute()
    },
  },
}

/** Who manages accounts and computers, when they were deleted, and what listings of them go along. */
function administrationMigration({ characterOrder }: Pick<Store, 'characterOrder'>): Migrations {
  return {
    '0008-administration': {
      async up(db) {
        for (const table of ['backup_account', 'backup_computer'] as const) {
          await db.schema.alterTable(table).addColumn('managed_by', 'text').execute()
          for (const name of ['deleted_at', 'purge_at'] as const) {
            await db.schema.alterTable(table).addColumn(name, 'bigint').execute()
          }
        }
        for (const name of ['deleted_with_account', 'purging'] as const) {
          await db.schema
            .alterTable('backup_computer')
            .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
            .execute()
        }
        // For what goes with a computer.
        await db.schema
          .createIndex('backup_action_by_computer')
          .on('backup_action')
          .columns(['account_id', 'computer_id'])
          .execute()
        // In the order of listings, so that they go along the indexes, whether many of what there is are deleted or few.
        const inOrder = (column: string) => sql`${sql.ref(column)} collate ${sql.id(characterOrder)}`
        for (const [name, condition] of [
          ['existing', sql`deleted_at is null`],
          ['deleted', sql`deleted_at is not null`],
        ] as const) {
          await sql`create index ${sql.id(`backup_account_${name}`)} on backup_account (${inOrder('id')}) where ${condition}`.execute(
            db,
          )
          for (const order of [['id'], ['name', 'id']]) {
            const index = sql.id(['backup_computer', name, 'by', ...order].join('_'))
            const columns = sql.join([sql.ref('account_id'), ...order.map(inOrder)])
            await sql`create index ${index} on backup_computer (${columns}) where ${condition}`.execute(db)
          }
        }
      },
    },
  }
}
