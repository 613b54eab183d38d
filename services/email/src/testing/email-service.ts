import { testOperators } from '@palisade/administration/testing'
import {
  type AdministeredResource,
  type AuditEntry,
  createLog,
  migrate,
  oauthMigrations,
  type Store,
} from '@palisade/platform'
import {
  quickPasswords,
  type ServedService,
  send,
  serveOnLoopback,
  settableClock,
} from '@palisade/platform/testing'
import type { EmailConfiguration } from '../configuration.ts'
import { createEmailService, type EmailServiceDependencies } from '../service.ts'

/** Domains of every status, neither in the order of their ids nor in that of their names. */
export const fourDomains: EmailConfiguration['accounts'][number]['domains'] = [
  { id: 4, name: 'example.org', status: 'VERIFIED', type: 'ESS' },
  { id: 491, name: 'a.example.org', status: 'UNVERIFIED', type: 'ESS' },
  { id: 2346, name: 'zebra.example', status: 'DISABLED', type: 'CPL' },
  { id: 1000, name: 'mail.example.com', status: 'VERIFIED', type: 'ESS' },
]

/** Where no name server is. */
export const nobody = '127.0.0.1:1'

/** Two accounts, and a client for each purpose that the tests have. */
export const configuration: EmailConfiguration = {
  basePath: '/email',
  accounts: [
    { id: '5584599', name: 'Example', region: 'US', domains: fourDomains },
    { id: 'other', name: 'Other', region: 'UK', domains: [] },
  ],
  apiClients: [
    { clientId: 'reader', clientSecret: 'r3ad', accounts: ['5584599'], scopes: ['ess:account:read'] },
    {
      clientId: 'both',
      clientSecret: 'b0th',
      accounts: ['5584599', 'other', 'gone'],
      scopes: ['ess:account:read'],
    },
    {
      clientId: 'checker',
      clientSecret: 'ch3ck',
      accounts: ['5584599', 'other'],
      scopes: ['ess:account:read', 'ess:account:write'],
    },
    { clientId: 'powerless', clientSecret: 'p0wer', accounts: ['5584599'], scopes: [] },
    { clientId: 'plus', clientSecret: 'a+b/c=', accounts: [], scopes: ['ess:account:read'] },
    {
      clientId: 'od:d +%',
      clientSecret: 's+c/r %3A',
      accounts: [],
      scopes: ['ess:account:read', 'ess:account:write'],
    },
  ],
  verification: { nameServers: [nobody] },
}

/** Shared by the services of a file, so that each secret is hashed once. */
export const passwords = quickPasswords()

/** An email service that is served, and what tests see and move of it. */
export interface TestService extends ServedService {
  /** What operators administer of the service. */
  readonly administered: readonly AdministeredResource[]
  readonly clock: ReturnType<typeof settableClock>
  /** What went into the audit log. */
  readonly audited: readonly AuditEntry[]
}

/** The email service over a store, at real ports. It looks for due domains only when `more` says how often. */
export async function serveEmail(
  store: Store,
  settings: EmailConfiguration = configuration,
  clock = settableClock(),
  more: Partial<EmailServiceDependencies> = {},
): Promise<TestService> {
  await migrate(store, 'oauth', oauthMigrations)
  const log = createLog('silent')
  const deps = {
    configuration: settings,
    configurationFile: null,
    store,
    passwords,
    clock,
    log,
    operators: testOperators(store, clock),
    lookEveryMs: 3_600_000,
  }
  const service = await createEmailService({ ...deps, ...more })
  const audited: AuditEntry[] = []
  const served = await serveOnLoopback(service, { audit: async (entry) => void audited.push(entry) })
  return { ...served, administered: service.administered ?? [], clock, audited }
}

/** Sends a form to the token endpoint, from a loopback address. */
export function requestToken(
  { baseUrl }: ServedService,
  form: string | Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  from = '127.0.0.1',
) {
  return send(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
    from,
  })
}

/** The access token of a client of the API. */
export async function tokenFor(
  served: ServedService,
  clientId: string,
  clientSecret: string,
): Promise<string> {
  const { json } = await requestToken(served, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  return json.access_token
}

/** Calls an address below that of the accounts, as the client that may do everything. */
export async function call(served: ServedService, path: string, method = 'GET', body?: unknown) {
  const token = await tokenFor(served, 'checker', 'ch3ck')
  return send(`${served.baseUrl}/beta/accounts/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    body,
  })
}
