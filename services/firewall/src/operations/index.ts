import type { Clock, Log, Store } from '@palisade/platform'
import type { AddressGuard } from '@palisade/proxy-protocol'
import type { Roles } from '../access/roles.ts'
import type { Behaviours } from '../changes/behaviour.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { UnknownMembers } from '../changes/members.ts'
import { ExceptionProposals } from '../exceptions/exception-proposals.ts'
import { RejectedProposals } from '../exceptions/rejected-proposals.ts'
import type { CompiledCatalogue } from '../kinds/compiled-kind.ts'
import type { LearntUrls } from '../learning/learnt-urls.ts'
import type { AuditLog } from '../logs/audit-log.ts'
import type { LogStore } from '../logs/log-store.ts'
import type { TrafficCounters } from '../logs/stats/counters.ts'
import type { Statistics } from '../logs/stats/statistics.ts'
import type { SpecialOperation } from '../rest/special-operation.ts'
import { Checkpoints } from '../transfer/checkpoints.ts'
import { Transfer } from '../transfer/transfer.ts'
import { backupSettings } from './backup/backup-dependencies.ts'
import { backupOperations } from './backup/backup-operations.ts'
import { Backups } from './backup/backups.ts'
import { certificateOperations } from './certificates/index.ts'
import type { LetsEncryptDependencies } from './certificates/lets-encrypt.ts'
import { configurationCheckpoints } from './configuration-checkpoints.ts'
import { energizeUpdates } from './energize-updates.ts'
import { exportConfiguration } from './export-configuration.ts'
import { importConfiguration } from './import-configuration.ts'
import { ApiDescriptions } from './import-openapi/api-descriptions.ts'
import { importOpenApi } from './import-openapi/import-openapi.ts'
import { Jobs } from './jobs.ts'
import { profileOperations } from './learnt-profiles/profile-operations.ts'
import { LockedOutClients } from './locked-out/locked-out-clients.ts'
import { lockedOutOperations } from './locked-out/locked-out-operations.ts'
import { historyOperation } from './logs/history-operation.ts'
import { logOperations } from './logs/log-operations.ts'
import { statsOperations } from './logs/stats-operations.ts'
import { proposalOperations } from './rule-exceptions/proposal-operations.ts'
import { refusedRequestOperations } from './rule-exceptions/refused-request-operations.ts'
import { runningTasks } from './running-tasks.ts'
import { smallestException } from './stored-traffic/smallest-exception.ts'
import { storedTrafficOperations } from './stored-traffic/stored-traffic-operations.ts'
import type { TrialDependencies } from './stored-traffic/try-candidate.ts'

/** What operations work with. */
export interface OperationDependencies extends Omit<TrialDependencies, 'configuration'> {
  readonly configuration: LiveConfiguration
  readonly catalogue: CompiledCatalogue
  readonly behaviours: Behaviours
  readonly roles: Roles
  readonly unknownMembers: UnknownMembers
  readonly audit: AuditLog
  readonly logs: LogStore
  readonly counters: TrafficCounters
  readonly statistics: Statistics
  readonly learnt: LearntUrls
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Keeps connections from where the operator has forbidden them. */
  readonly guard: () => AddressGuard
  /** Who signs certificates. */
  readonly authority: LetsEncryptDependencies['authority']
  /** 32 bytes that only this installation knows. */
  readonly key: Buffer
  /** Where files of backups lie, in a folder of their own. */
  readonly dataDirectory: string
}

/** The special operations of a running service. */
export interface Operations {
  readonly all: readonly SpecialOperation[]
  /** Waits for the long ones that are running. */
  close(): Promise<void>
}

/** Every special operation that there is. */
export function allOperations(deps: OperationDependencies): Operations {
  const jobs = new Jobs(deps)
  const checkpoints = new Checkpoints(deps)
  const transfer = new Transfer({ ...deps, checkpoints })
  const proposals = new ExceptionProposals(deps)
  const rejected = new RejectedProposals(deps)
  const importing = { transfer, jobs }
  return {
    all: [
      exportConfiguration({ ...deps, transfer }),
      importConfiguration(importing),
      runningTasks({ jobs }),
      ...configurationCheckpoints({ ...importing, checkpoints, audit: deps.audit }),
      ...certificateOperations(deps),
      ...backupOperations({
        ...importing,
        backups: new Backups(deps),
        settings: () => backupSettings(deps.configuration, deps.catalogue),
        clock: deps.clock,
        audit: deps.audit,
        guard: deps.guard,
      }),
      importOpenApi({ ...deps, transfer, descriptions: new ApiDescriptions(deps) }),
      ...energizeUpdates(),
      ...lockedOutOperations({ ...deps, lockedOut: new LockedOutClients(deps) }),
      ...profileOperations({ ...deps, transfer }),
      ...proposalOperations({ ...deps, proposals, rejected }),
      ...refusedRequestOperations({ ...deps, proposals, rejected }),
      smallestException(deps),
      ...storedTrafficOperations(deps),
      ...logOperations(deps),
      ...statsOperations(deps),
      historyOperation(deps),
    ],
    close: () => jobs.close(),
  }
}
