import type { Task } from '@palisade/agent-protocol'
import type { Generated } from 'kysely'

/** Long work of an agent. */
export type TaskKind = Task

/**
 *     RUNNING ──> SUCCESS | ERROR | CANCELED
 *        └──> CANCELING ──┘
 *
 * Only the agent ends a task; a cancelled one may have succeeded before the agent heard of it.
 */
export type TaskState = 'RUNNING' | 'SUCCESS' | 'CANCELING' | 'CANCELED' | 'ERROR'

/**
 * What was wished of a computer's backup sets and revisions. Most actions are over at once; a run waits for the agent (CREATED),
 * then for its backups (PENDING).
 */
export type ActionKind =
  | 'run-set'
  | 'toggle-set'
  | 'delete-set'
  | 'verify-revision'
  | 'compare-disk'
  | 'prove-set'

/**
 *     CREATED ──> PENDING ──> SUCCESS | WARNING | ERROR
 *        └───────────────────────────────────────────┘
 *
 * The four names of the reference (section 2.6), and SUCCESS. WARNING: some of it has failed.
 */
export type ActionState = 'CREATED' | 'PENDING' | 'ERROR' | 'WARNING' | 'SUCCESS'

/** What is true of an account and of a computer, as operators administer them. */
export interface AdministeredRow {
  /** The configuration file that names it; null where it is administered at run time. */
  managed_by: string | null
  /** When it was deleted: from then on it is there for operators alone, who can take it back. */
  deleted_at: number | null
  /** When what it has begins to be removed; set with `deleted_at`. */
  purge_at: number | null
}

export interface AccountRow extends AdministeredRow {
  id: string
}

export interface ComputerRow extends AdministeredRow {
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
  /** 1 when it was deleted with its account, and is taken back with it. */
  deleted_with_account: Generated<number>
  /** 1 since what it has is being removed: nobody can take it back any more. */
  purging: Generated<number>
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
  /** Disks that can be read while a restore serves them, JSON. */
  served: string | null
  error_code: string | null
  error_message: string | null
  started_at: number
  /** Null while the task is unfinished. */
  ended_at: number | null
  /** The run of a backup set that the backup is a part of. */
  action_id: number | null
  /** The request that it comes of, JSON; null where it comes of none, and of tasks of earlier versions. */
  origin: string | null
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
  /** What it was of when it was made, as people call it, JSON; null of revisions of earlier versions. */
  origin: string | null
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
  /** 1 when nobody and no retention deletes it; it goes with its computer all the same. */
  is_pinned: Generated<number>
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
  /** What may stand against it; null when nothing is known that does. */
  warning: string | null
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

/** What may be due. */
export type TimerKind =
  | 'run-set'
  | 'verify-set'
  | 'prove-set'
  | 'verify-computer'
  | 'repair'
  | 'collect'
  | 'purge'

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

/** The tables as `backupMigrations` make them. Times are milliseconds since 1970. */
export interface BackupTables {
  backup_account: AccountRow
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
