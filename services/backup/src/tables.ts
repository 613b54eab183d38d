import type { Migrations } from '@palisade/platform'
import type { ActionKind, ActionState } from './sets/action.ts'
import type { TaskKind, TaskState } from './tasks/task.ts'
import type { TimerKind } from './upkeep/timers.ts'

interface ComputerRow {
  account_id: string
  id: string
  name: string
  /** Keyed digest of the enrolment key, hexadecimal. */
  enrolment_digest: string
  /** SHA-256 of the agent's credential, hexadecimal; null until an agent has enrolled. */
  credential_digest: string | null
  last_seen_at: number | null
  agent_version: string | null
  host_name: string | null
  platform: string | null
  /** Recognises the key with which the computer's agent seals chunks end to end; null when it does not. */
  end_to_end_key_check: string | null
  /** Keyed digest of the enrolment key that was taken away with a credential; nobody enrols with it any more. */
  revoked_enrolment_digest: string | null
}

/** A backup or a restore. The row is the truth; what is in memory beside it may be lost. */
export interface TaskRow {
  id: string
  kind: TaskKind
  account_id: string
  computer_id: string
  state: TaskState
  step: string
  bytes_done: number
  bytes_total: number
  /** What was asked for, JSON; without secrets. */
  request: string
  /** Credentials of a share, sealed; null when there are none or the task has ended. */
  sealed_credentials: string | null
  /** The revision that a backup has made. */
  revision_id: number | null
  /** The files that a restore has written, JSON. */
  files: string | null
  /** The machine that a restore has made, JSON. */
  machine: string | null
  /** What came of a restore that was to prove that its machine starts, JSON. */
  proof: string | null
  error_code: string | null
  error_message: string | null
  started_at: number
  /** Null while the task is unfinished. */
  ended_at: number | null
  /** The run of a backup set that the backup is a part of. */
  action_id: number | null
}

export interface RevisionRow {
  id: number
  account_id: string
  computer_id: string
  /** The backup that made it. */
  backup_id: string
  device_id: string
  /** When the source was read. */
  created_at: number
  chunk_size_bytes: number
  chunk_count: number
  /** What the agent found out about the volume, JSON. */
  volume: string
  /** The run of a backup set that made it, and that set; null for a backup that was started by itself. */
  action_id: number | null
  set_id: string | null
  /** The machine of a boot volume, JSON. */
  hardware: string | null
  /** Recognises the computer's own key that its chunks are sealed with; null when the vault's keys open them. */
  end_to_end_key_check: string | null
  /** When it was deleted: from then on it is shown to nobody; the row goes when the vault has let it go too. */
  deleted_at: number | null
  /** What came of the newest verification, JSON. */
  verification: string | null
  /** What came of the newest proof of recovery, JSON, and the restore that was made for it. */
  proof: string | null
  proof_restore_id: string | null
  /** When a machine of it was last seen running. */
  proved_bootable_at: number | null
}

export interface SetRow {
  id: string
  account_id: string
  computer_id: string
  name: string
  /** 1 when its schedule counts. */
  enabled: number
  /** What is backed up, when, and for how long it is kept; JSON. */
  definition: string
  created_at: number
}

export interface ActionRow {
  id: number
  account_id: string
  computer_id: string
  kind: ActionKind
  set_id: string | null
  state: ActionState
  reason: string
  created_at: number
  /** When backups that still run are to be cancelled. */
  cancel_at: number | null
  ended_at: number | null
}

/** Something that is due at some time, for whoever of the servers comes first. */
export interface TimerRow {
  kind: TimerKind
  /** The set that it is about, or the computer's domain in the vault; empty for what is about everything. */
  subject: string
  due_at: number
  /** The server that is at it, and until when the others leave it alone. */
  holder: string | null
  leased_until: number
}

/** A hypervisor that a computer's agent reaches. */
export interface HostRow {
  id: number
  account_id: string
  computer_id: string
  host_name: string
  /** 1 when it is that of the agent's own machine. */
  is_local: number
  /** Why it could not be used when it was registered, JSON; null when it could. */
  unsupported: string | null
  /** Who is logged on at it, sealed; null for the user that the agent runs as. */
  sealed_logon: string | null
  registered_at: number
}

/** A browsing session on hosts. */
interface HostSessionRow {
  id: string
  account_id: string
  computer_id: string
  created_at: number
  expires_at: number
}

/** What the machine of a proof showed. */
interface ScreenshotRow {
  restore_id: string
  /** A PNG, base64. */
  png: string
}

export interface BackupTables {
  backup_account: { id: string }
  backup_computer: ComputerRow
  backup_task: TaskRow
  backup_revision: RevisionRow
  backup_set: SetRow
  backup_action: ActionRow
  backup_timer: TimerRow
  backup_host: HostRow
  backup_host_session: HostSessionRow
  backup_screenshot: ScreenshotRow
  /** The integer that was given out last, by what it counts. */
  backup_counter: { name: string; value: number }
}

/** Makes the tables of {@link BackupTables}. Times are milliseconds since 1970. */
export const backupMigrations: Migrations = {
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
}
