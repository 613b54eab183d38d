export { type BackupConfiguration, BackupConfigurationSchema } from './configuration.ts'
export { type BackupServiceDependencies, createBackupService } from './service.ts'
