import type { Outcome } from '@palisade/agent-protocol'
import type { ServiceMetrics } from '@palisade/platform'
import type { TaskKind } from '../tables.ts'

type EndState = Outcome['state']

/** Who has noticed that stored chunks are not what was backed up. */
export const damageFinders = [
  'restore',
  'download',
  'verification',
  'repair',
  'collection',
  'start',
  'command',
] as const
export type DamageFinder = (typeof damageFinders)[number]

/** What the service counts beside its requests. */
export interface BackupMetrics {
  /** A chunk that an agent sent is not what its id names. */
  chunkRefused(): void
  damageFound(finder: DamageFinder): void
  /** A backup or restore has ended so. */
  taskEnded(task: TaskKind, state: EndState): void
  /** Whether the vault has taken what it was last given. */
  vaultWritable(isWritable: boolean): void
}

export function backupMetrics(metrics: ServiceMetrics): BackupMetrics {
  const refused = metrics.counter(
    'palisade_backup_chunks_refused_total',
    'Chunks that an agent sent and that are not what their ids name',
    [],
  )
  const found = metrics.counter(
    'palisade_backup_damage_found_total',
    'Times that stored chunks were found damaged or lost, by what has found it',
    ['finder'],
  )
  const ended = metrics.counter(
    'palisade_backup_tasks_ended_total',
    'Backups and restores that have ended, by how',
    ['task', 'state'],
  )
  const writable = metrics.gauge(
    'palisade_backup_vault_writable',
    '1 when the vault has taken what it was last given, 0 when it could not, as when its disk is full',
  )
  writable(1)
  return {
    chunkRefused: () => refused({}),
    taskEnded: (task, state) => ended({ task, state }),
    damageFound: (finder) => found({ finder }),
    vaultWritable: (isWritable) => writable(isWritable ? 1 : 0),
  }
}
