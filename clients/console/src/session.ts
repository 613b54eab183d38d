import {
  type AdministrationClient,
  type AdministrationSchemas,
  ApiError,
  answer,
  type BackupClient,
  createAdministrationClient,
  createBackupClient,
  createEmailClient,
  createFetch,
  createFirewallClient,
  type EmailClient,
  type FirewallClient,
  firewallTokens,
  operatorSession,
} from '@palisade/sdk'
import { firewallAdministrator } from './firewall-administrator.ts'
import { RecentChanges } from './recent-changes.ts'

/** A role everywhere, in one service, or for one account of it. */
export type Grant = AdministrationSchemas['schemas']['Grant']

type SessionView = AdministrationSchemas['schemas']['Session']

/** The session of the operator who looks at the console, and calls with it. */
export interface Session {
  readonly username: string
  /** Empty where nobody has named him. */
  readonly displayName: string
  /** What he may do. */
  readonly grants: readonly Grant[]
  /** A call of `/admin/v1` by its path, for code that works with any resource; see {@link AdministeredItem}. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>
  readonly administration: AdministrationClient
  readonly backup: BackupClient
  readonly email: EmailClient
  /** The firewall's management, as its administrator `admin`; the first call asks for a token. */
  readonly firewall: FirewallClient
  /** The same for addresses that are known only when they are called. */
  readonly firewallFetch: ReturnType<typeof createFetch>
  /** What he has changed by these, in this window. */
  readonly recentChanges: RecentChanges
}

/** What a sign-in needs. */
export interface SignIn {
  readonly username: string
  readonly password: string
  /** Of an authenticator app, where the operator has one. */
  readonly code?: string
}

/** The session that the browser has a cookie of; undefined when it has none. */
export async function readSession(): Promise<Session | undefined> {
  try {
    const view = await answer(withoutSession().GET('/session'))
    return view.csrfToken === null ? undefined : sessionOf(view, view.csrfToken)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined
    throw error
  }
}

/** How one can sign in besides with a password. */
export function readLoginWays() {
  return answer(withoutSession().GET('/login'))
}

/**
 * Begins a session.
 *
 * @throws ApiError when the credentials are not accepted, in the server's words
 */
export async function signIn(credentials: SignIn): Promise<Session> {
  return begun(await answer(withoutSession().POST('/session', { body: credentials })))
}

/**
 * Begins a session with a passkey, which the browser asks for.
 *
 * @param password what the passkey stands beside, as the second factor; undefined for a passkey alone
 * @throws ApiError when the passkey is not accepted, in the server's words
 * @throws DOMException when the browser has none, or the person has cancelled
 */
export async function signInWithPasskey(password?: Pick<SignIn, 'username' | 'password'>): Promise<Session> {
  const administration = withoutSession()
  const options = await answer(administration.POST('/session/passkey-options', { body: password ?? {} }))
  const credential = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
      options as PublicKeyCredentialRequestOptionsJSON,
    ),
  })
  const body = { credential: jsonOf<AdministrationSchemas['schemas']['Assertion']>(credential) }
  return begun(await answer(administration.POST('/session/passkey', { body })))
}

/** A credential of the browser in the form that the server takes. @throws Error when there is none */
export function jsonOf<Json>(credential: Credential | null): Json {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser gave no passkey.')
  const json: unknown = credential.toJSON()
  return json as Json
}

/**
 * Ends the session on the server.
 *
 * @returns where the provider at which the operator signed in ends his session there; undefined without one
 */
export async function signOut(session: Session): Promise<string | undefined> {
  const end: { logoutUrl: string } | undefined = await answer(session.administration.DELETE('/session'))
  return end?.logoutUrl
}

function begun(view: SessionView): Session {
  if (view.csrfToken === null) throw new Error('The server began no session.')
  return sessionOf(view, view.csrfToken)
}

function sessionOf({ username, displayName, grants }: SessionView, csrfToken: string): Session {
  const authorisation = operatorSession(csrfToken)
  const recentChanges = new RecentChanges()
  const access = (path: string) => ({
    baseUrl: location.origin + path,
    authorisation,
    onAnswered: recentChanges.note,
  })
  const administration = createAdministrationClient(access('/admin/v1'))
  const firewallTokenOfAdmin = async () => {
    const path = { administrator: firewallAdministrator }
    return (
      await answer(
        administration.POST('/firewall/administrators/{administrator}/token', { params: { path } }),
      )
    ).token
  }
  const firewall = { ...access('/firewall'), authorisation: firewallTokens(firewallTokenOfAdmin) }
  return {
    username,
    displayName,
    grants,
    administration,
    send: createFetch(access('/admin/v1')),
    backup: createBackupClient(access('/backup')),
    email: createEmailClient(access('/email')),
    firewall: createFirewallClient(firewall),
    firewallFetch: createFetch(firewall),
    recentChanges,
  }
}

/** What somebody calls who has no token of a session, or does not know it yet. */
function withoutSession(): AdministrationClient {
  return createAdministrationClient({
    baseUrl: `${location.origin}/admin/v1`,
    authorisation: operatorSession(''),
  })
}
