import { migrate, oauthMigrations, Passwords, type Store } from '@palisade/platform'
import { type ServedService, send, serveOnLoopback, settableClock } from '@palisade/platform/testing'
import type { EmailConfiguration } from './configuration.ts'
import { createEmailService } from './service.ts'

export const fourDomains: EmailConfiguration['accounts'][number]['domains'] = [
  { id: 4, name: 'example.org', status: 'VERIFIED', type: 'ESS' },
  { id: 491, name: 'a.example.org', status: 'UNVERIFIED', type: 'ESS' },
  { id: 2346, name: 'zebra.example', status: 'DISABLED', type: 'CPL' },
  { id: 1000, name: 'mail.example.com', status: 'VERIFIED', type: 'ESS' },
]

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
    { clientId: 'powerless', clientSecret: 'p0wer', accounts: ['5584599'], scopes: [] },
    { clientId: 'plus', clientSecret: 'a+b/c=', accounts: [], scopes: ['one'] },
    { clientId: 'od:d +%', clientSecret: 's+c/r %3A', accounts: [], scopes: ['one', 'two', 'three'] },
  ],
}

export const passwords = new Passwords()

export interface TestService extends ServedService {
  readonly clock: ReturnType<typeof settableClock>
}

/** The email service over a store, behind real doors. */
export async function serveEmail(
  store: Store,
  given: EmailConfiguration = configuration,
  clock = settableClock(),
): Promise<TestService> {
  await migrate(store, 'oauth', oauthMigrations)
  const service = await createEmailService({ configuration: given, store, passwords, clock })
  return { ...(await serveOnLoopback(service)), clock }
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
