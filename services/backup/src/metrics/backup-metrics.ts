import type { Outcome, ProofResult } from '@palisade/agent-protocol'
import type { ServiceMetrics } from '@palisade/platform'
import type { TaskKind } from '../tables.ts'
import { taskKinds } from './backup-figures.ts'

type EndState = Outcome['state']
const endStates = ['SUCCESS', 'ERROR', 'CANCELED'] as const satisfies readonly EndState[]

const verificationStates = ['SUCCESS', 'DAMAGED'] as const
/** What a verification of a revision has shown. */
type VerificationState = (typeof verificationStates)[number]
const verdicts = ['runs', 'fails', 'unclear'] as const satisfies readonly ProofResult['verdict'][]

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
/** What found a damaged chunk, as a label of the metric. */
export type DamageFinder = (typeof damageFinders)[number]

const packOutcomes = ['taken', 'lost'] as const

/** What the service counts beside its requests. */
export interface BackupMetrics {
  /** A chunk that an agent sent is not what its id names. */
  chunkRefused(): void
  damageFound(finder: DamageFinder): void
  /** A backup or restore has ended so. */
  taskEnded(task: TaskKind, state: EndState): void
  /** A verification of a revision, or of a part of it, has ended so. */
  revisionVerified(state: VerificationState): void
  /** A machine was started to prove that a backup can be recovered. */
  proofEnded(verdict: ProofResult['verdict']): void
  /** A server that stands by has stored a pack, on which the active server counts; or which it does not, or could not be told of. */
  packStored(outcome: (typeof packOutcomes)[number]): void
  /** Whether the vault has taken what it was last given. */
  vaultWritable(isWritable: boolean): void
}

/** Registers the metrics of the service. Call it once for each registry. */
export function backupMetrics(metrics: ServiceMetrics): BackupMetrics {
  const refused = metrics.counter(
    'palisade_backup_chunks_refused_total',
    'Chunks that an agent sent and that are not what their ids name',
    [],
  )
  const counter = metrics.counter(
    'palisade_backup_damage_found_total',
    'Times that stored chunks were found damaged or lost, by what has found it',
    ['finder'],
    damageFinders.map((finder) => ({ finder })),
  )
  const ended = metrics.counter(
    'palisade_backup_tasks_ended_total',
    'Backups and restores that have ended, by how',
    ['task', 'state'],
    taskKinds.flatMap((task) => endStates.map((state) => ({ task, state }))),
  )
  const verified = metrics.counter(
    'palisade_backup_revisions_verified_total',
    'Verifications of single revisions in the vault, by what they have shown',
    ['state'],
    verificationStates.map((state) => ({ state })),
  )
  const proofs = metrics.counter(
    'palisade_backup_proofs_ended_total',
    'Machines that were started to prove that a backup can be recovered, by the verdict',
    ['verdict'],
    verdicts.map((verdict) => ({ verdict })),
  )
  const packs = metrics.counter(
    'palisade_backup_standby_packs_total',
    'Packs with chunks of agents that this server stored while another one had the vault, by whether that one counts on them',
    ['outcome'],
    packOutcomes.map((outcome) => ({ outcome })),
  )
  const writable = metrics.gauge(
    'palisade_backup_vault_writable',
    '1 when the vault has taken what it was last given, 0 when it could not, as when its disk is full',
  )
  writable(1)
  return {
    chunkRefused: () => refused({}),
    taskEnded: (task, state) => ended({ task, state }),
    revisionVerified: (state) => verified({ state }),
    proofEnded: (verdict) => proofs({ verdict }),
    packStored: (outcome) => packs({ outcome }),
    damageFound: (finder) => counter({ finder }),
    vaultWritable: (isWritable) => writable(isWritable ? 1 : 0),
  }
}
