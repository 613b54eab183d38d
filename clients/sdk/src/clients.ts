import createClient, { type Client } from 'openapi-fetch'
import type { paths as BackupPaths } from './backup.generated.ts'
import type { paths as EmailPaths } from './email.generated.ts'

export type BackupClient = Client<BackupPaths>
export type EmailClient = Client<EmailPaths>

/** Where a service is, and what it lets in. */
interface Access {
  /** Such as http://127.0.0.1:8080/backup. */
  readonly baseUrl: string
  readonly accessToken: string
}

/** Calls of the backup service: accounts, computers, backups, restores. */
export function createBackupClient(access: Access): BackupClient {
  return createClient<BackupPaths>(options(access))
}

/** Calls of the email service. */
export function createEmailClient(access: Access): EmailClient {
  return createClient<EmailPaths>(options(access))
}

function options({ baseUrl, accessToken }: Access) {
  return { baseUrl, headers: { authorization: `Bearer ${accessToken}` } }
}
