export { AccessRefused, type ClientSecret, requestAccessToken } from './access-token.ts'
export {
  type AdministrationClient,
  type AwarenessClient,
  type BackupClient,
  createAdministrationClient,
  createAwarenessClient,
  createBackupClient,
  createEmailClient,
  createFirewallClient,
  type EmailClient,
  type FirewallClient,
} from './clients.ts'
