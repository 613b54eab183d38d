import type { Clock } from '@palisade/platform'
import type { AddressGuard } from '@palisade/proxy-protocol'
import type { LiveConfiguration } from '../../changes/live-configuration.ts'
import type { CompiledCatalogue } from '../../kinds/compiled-kind.ts'
import type { Values } from '../../kinds/values.ts'
import type { AuditLog } from '../../logs/audit-log.ts'
import type { ImportDependencies } from '../import-configuration.ts'
import type { Backups } from './backups.ts'

/** What backups are made and restored with. */
export interface BackupDependencies extends ImportDependencies {
  readonly backups: Backups
  /** What the configuration says about backups. */
  readonly settings: () => Values
  readonly clock: Clock
  readonly audit: AuditLog
  /** Keeps connections from where the operator has forbidden them. */
  readonly guard: () => AddressGuard
}

/** What the configuration says about backups: the members of its object `backup`. */
export function backupSettings(configuration: LiveConfiguration, catalogue: CompiledCatalogue): Values {
  const kind = catalogue.get('configuration-backup')
  return (kind && configuration.snapshot.object(kind, [kind.title])?.content.values) ?? {}
}
