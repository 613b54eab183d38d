import {
  type BackupConfiguration,
  createBackupService,
  requireSharedVault,
  StandbyUploads,
} from '@palisade/backup'
import type {
  HttpService,
  OperatorAuthority,
  Provisioning,
  ServiceFoundation,
  ServiceMetrics,
} from '@palisade/platform'
import type { Installation } from '../installation.ts'
import { ActiveServerRecord } from './active-server.ts'
import { BackupRelay } from './backup-relay.ts'
import { BackupRole } from './backup-role.ts'
import { repeatedMetrics } from './repeated-metrics.ts'

/** The backups of a server, whether it has them itself, has them in turn with others, or not at all. */
export interface Backups extends Pick<HttpService, 'warnings' | 'attention'> {
  readonly name: 'backup'
  /** What answers for backups at the services listener now. */
  readonly services: () => readonly HttpService[]
  /** Undefined where the server serves none. */
  readonly provisioning: Provisioning<BackupConfiguration> | undefined
  /** To be called when the server listens. @param onChange has {@link services} answer anew */
  start(onChange: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

interface BackupsDependencies extends ServiceFoundation {
  readonly operators: OperatorAuthority
  readonly metrics: ServiceMetrics
  readonly configuration: BackupConfiguration
  readonly installation: Installation
  /** What the services listener presents, in PEM; undefined before it is open. */
  readonly certificate: () => string | undefined
}

/**
 * Opens the backups as the configuration says.
 *
 * @throws Error naming the member of the configuration that keeps the vault from being opened
 */
export async function openBackups({
  installation,
  certificate,
  ...deps
}: BackupsDependencies): Promise<Backups> {
  const { configuration, store, log, dataDirectory } = deps
  const nothing = { start: async () => undefined, close: async () => undefined }
  if (!configuration.serve) {
    return { ...nothing, name: 'backup', services: () => [], provisioning: undefined }
  }
  const tellActive = (isActive: () => boolean) =>
    deps.metrics.observed<never>(
      'palisade_backup_active',
      '1 at the server that has the vault, 0 at one that passes requests on to it',
      [],
      () => [{ labels: {}, value: isActive() ? 1 : 0 }],
    )
  if (configuration.advertiseAddress === undefined) {
    tellActive(() => true)
    const service = await createBackupService(deps)
    return {
      ...nothing,
      name: 'backup',
      services: () => [service],
      provisioning: service.provisioning,
      warnings: () => service.warnings?.() ?? [],
      attention: async () => service.attention?.(),
      close: async () => service.close?.(),
    }
  }
  const metrics = repeatedMetrics(deps.metrics)
  const uploads = new StandbyUploads({ ...deps, metrics, configuration: configuration.vault })
  const role = await BackupRole.begin({
    store,
    log,
    record: new ActiveServerRecord(installation),
    relay: new BackupRelay({ basePath: configuration.basePath, uploads, log }),
    address: configuration.advertiseAddress,
    certificate,
    createService: (sharedVault) => createBackupService({ ...deps, metrics, sharedVault }),
    requireVault: (sharedVault) =>
      requireSharedVault({ configuration: configuration.vault, dataDirectory, sharedVault }),
  })
  tellActive(() => role.service !== undefined)
  return {
    name: 'backup',
    services: () => role.services,
    provisioning: role.provisioning,
    warnings: () => role.service?.warnings?.() ?? [],
    attention: async () => role.service?.attention?.(),
    start: (onChange) => role.start(onChange),
    close: () => role.close(),
  }
}
