export { AccessRefused, type ClientSecret, requestAccessToken } from './access-token.ts'
export { type BackupClient, createBackupClient, createEmailClient, type EmailClient } from './clients.ts'
