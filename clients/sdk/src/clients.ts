import createClient, { type Client, type ClientOptions } from 'openapi-fetch'
import type { paths as AdministrationPaths } from './admin.generated.ts'
import type { paths as AwarenessPaths } from './awareness.generated.ts'
import type { paths as BackupPaths } from './backup.generated.ts'
import type { paths as EmailPaths } from './email.generated.ts'
import type { paths as FirewallPaths } from './firewall.generated.ts'

export type AdministrationClient = Client<AdministrationPaths>
export type AwarenessClient = Client<AwarenessPaths>
export type BackupClient = Client<BackupPaths>
export type EmailClient = Client<EmailPaths>
export type FirewallClient = Client<FirewallPaths>

/** Where a service is, and what it lets in. */
interface Access {
  /** Such as http://127.0.0.1:8080/backup. */
  readonly baseUrl: string
  /** From `requestAccessToken`, or from the awareness service's own `authenticate`. */
  readonly accessToken: string
}

/** Calls of the administration: operators, what they administer, and the audit log. The token is an operator's. */
export function createAdministrationClient(access: Access): AdministrationClient {
  return createClient<AdministrationPaths>(bearer(access))
}

/** Calls of the awareness service. */
export function createAwarenessClient(access: Access): AwarenessClient {
  return createClient<AwarenessPaths>(bearer(access))
}

/** Calls of the backup service: accounts, computers, backups, restores. */
export function createBackupClient(access: Access): BackupClient {
  return createClient<BackupPaths>(bearer(access))
}

/** Calls of the email service. */
export function createEmailClient(access: Access): EmailClient {
  return createClient<EmailPaths>(bearer(access))
}

/**
 * Calls of the firewall's management API.
 *
 * @param origin such as https://127.0.0.1:8443
 * @param token from its login, with the line feeds that are part of it
 */
export function createFirewallClient(origin: string, token: string): FirewallClient {
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  return createClient<FirewallPaths>({ baseUrl: origin, headers: { authorization } })
}

function bearer({ baseUrl, accessToken }: Access): ClientOptions {
  return { baseUrl, headers: { authorization: `Bearer ${accessToken}` } }
}
