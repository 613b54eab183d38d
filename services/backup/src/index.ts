export { type BackupConfiguration, BackupConfigurationSchema } from './configuration.ts'
export { type BackupServiceDependencies, createBackupService } from './service.ts'
export { openVaultForUpkeep } from './vault/open-service-vault.ts'
export { type KeyPlace, keySourceOf } from './vault/vault-place.ts'
