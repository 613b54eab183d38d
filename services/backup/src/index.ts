export { relayedHeader } from './agent-routes/server-calls.ts'
export type { BackupServiceDependencies } from './assemble.ts'
export { problemsOfBackup } from './check-configuration.ts'
export { type BackupConfiguration, BackupConfigurationSchema } from './configuration.ts'
export { errorList as backupErrors } from './envelope.ts'
export { type BackupService, createBackupService } from './service.ts'
export type { CallActive } from './standby/active-calls.ts'
export { StandbyUploads } from './standby/standby-uploads.ts'
export { FindingsFile } from './vault/findings-file.ts'
export {
  keysOfServiceVault,
  openVaultForUpkeep,
  requireSharedVault,
  type SharedVault,
} from './vault/open-service-vault.ts'
export { type KeyPlace, keySourceOf } from './vault/vault-place.ts'
