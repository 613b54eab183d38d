export { AccessRefused, type ClientSecret, requestAccessToken } from './access-token.ts'
export {
  type AwarenessClient,
  type BackupClient,
  createAwarenessClient,
  createBackupClient,
  createEmailClient,
  createFirewallClient,
  type EmailClient,
  type FirewallClient,
} from './clients.ts'
