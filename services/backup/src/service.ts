import type { Clock, HttpService, Log, Passwords, Store } from '@palisade/platform'
import type { BackupConfiguration } from './configuration.ts'

/** What the backup service stands on. */
export interface BackupServiceDependencies {
  readonly configuration: BackupConfiguration
  readonly store: Store
  readonly passwords: Passwords
  readonly clock: Clock
  readonly log: Log
  /** 32 bytes that only this installation knows. */
  readonly key: Buffer
  /** Where files of the service's own may lie. */
  readonly dataDirectory: string
}

export async function createBackupService(deps: BackupServiceDependencies): Promise<HttpService> {
  throw new Error(`not there yet: ${deps.dataDirectory}`)
}
