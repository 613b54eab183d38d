import createClient, { type Client } from 'openapi-fetch'
import type { paths as AdministrationPaths } from './admin.generated.ts'
import type { Authorisation } from './authorisation.ts'
import type { paths as AwarenessPaths } from './awareness.generated.ts'
import type { paths as BackupPaths } from './backup.generated.ts'
import type { paths as EmailPaths } from './email.generated.ts'
import { errorOf } from './errors.ts'
import type { paths as FirewallPaths } from './firewall.generated.ts'
import { type AnsweredCall, createTransport, type Retries } from './transport.ts'

export type AdministrationClient = Client<AdministrationPaths>
export type AwarenessClient = Client<AwarenessPaths>
export type BackupClient = Client<BackupPaths>
export type EmailClient = Client<EmailPaths>
export type FirewallClient = Client<FirewallPaths>

/** Where a service is, who calls, and how often a call is tried. */
export interface Access {
  /** The base URL of the service, such as https://palisade.example.org:8081/backup. */
  readonly baseUrl: string
  readonly authorisation: Authorisation
  readonly retries?: Retries
  readonly onAnswered?: AnsweredCall
}

/** Calls of the administration (`/admin/v1`): operators, what they administer, and the audit log. */
export function createAdministrationClient(access: Access): AdministrationClient {
  return createServiceClient<AdministrationPaths>(access)
}

/** Calls of the awareness service: campaigns and their results. */
export function createAwarenessClient(access: Access): AwarenessClient {
  return createServiceClient<AwarenessPaths>(access)
}

/** Calls of the backup service: accounts, computers, backups, restores. */
export function createBackupClient(access: Access): BackupClient {
  return createServiceClient<BackupPaths>(access)
}

/** Calls of the email service: accounts, domains, verification, statistics. */
export function createEmailClient(access: Access): EmailClient {
  return createServiceClient<EmailPaths>(access)
}

/** Calls of the firewall's management API. The base URL is its origin, such as https://palisade.example.org:8443. */
export function createFirewallClient(access: Access): FirewallClient {
  return createServiceClient<FirewallPaths>(access)
}

/**
 * A `fetch` for calls of any service that have no type: it says who calls and tries again as the clients do, and leaves the reply as it is.
 *
 * @returns a function of a path below the base URL, such as `/operators?limit=10`, and what `fetch` takes
 */
export function createFetch({
  baseUrl,
  authorisation,
  retries,
  onAnswered,
}: Access): (path: string, init?: RequestInit) => Promise<Response> {
  const send = createTransport(authorisation, retries, onAnswered)
  return (path, init) => send(new Request(`${baseUrl}${path}`, init))
}

/**
 * The data of a reply.
 *
 * @throws ApiError when the service refuses, with its own words
 * @throws ConnectionFailed when no reply comes
 */
export async function answer<Data>(
  call: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call
  if (!response.ok) throw errorOf(response, error)
  return data as Data
}

function createServiceClient<Paths extends object>({
  baseUrl,
  authorisation,
  retries,
  onAnswered,
}: Access): Client<Paths> {
  return createClient<Paths>({ baseUrl, fetch: createTransport(authorisation, retries, onAnswered) })
}
