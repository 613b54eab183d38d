import {
  type Access,
  type AdministrationClient,
  type AwarenessClient,
  answer,
  awarenessKey,
  type BackupClient,
  bearerToken,
  clientCredentials,
  createAdministrationClient,
  createAwarenessClient,
  createBackupClient,
  createEmailClient,
  createFetch,
  createFirewallClient,
  type EmailClient,
  type FirewallClient,
  firewallToken,
} from '@palisade/sdk'
import { exitStatus, UsageError } from './exit-status.ts'
import { readSecret } from './input-file.ts'
import { type Profile, readProfiles } from './profiles.ts'

export { UsageError } from './exit-status.ts'

/** Options that every command takes: where the server is, and who is asking. */
export interface ConnectionOptions {
  readonly server?: string | undefined
  readonly profile?: string | undefined
  readonly clientId?: string | undefined
  readonly clientSecretFile?: string | undefined
}

/** Clients of all services of one server, for one operator. */
export interface Connection {
  /** Without a slash at its end. */
  readonly server: string
  readonly administration: AdministrationClient
  readonly awareness: AwarenessClient
  readonly backup: BackupClient
  readonly email: EmailClient
  /** The firewall's management as one of its administrators, `admin` when left out. */
  firewall(administrator?: string): Promise<FirewallClient>
  /** Any call, by its path at the server, such as `/admin/v1/operators`. That of the firewall's management is as `admin`. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/**
 * A server and who is asking: what the command line or the environment says (`--server`, `PALISADE_SERVER`, `PALISADE_TOKEN`), else a
 * profile of `palisade login`.
 *
 * @throws UsageError when neither does
 */
export function connect(options: ConnectionOptions): Connection {
  const { server, token } = operatorOf(options)
  const authorisation = bearerToken(token)
  const at = (path: string) => ({ baseUrl: `${server}${path}`, authorisation })
  const administration = createAdministrationClient(at(administrationPath))
  const asAdministrator = async (administrator: string) => {
    const issued = await answer(
      administration.POST('/firewall/administrators/{administrator}/token', {
        params: { path: { administrator } },
      }),
    )
    return firewallToken(issued.token)
  }
  return {
    server,
    administration,
    awareness: createAwarenessClient(at('/awareness')),
    backup: createBackupClient(at('/backup')),
    email: createEmailClient(at('/email')),
    async firewall(administrator = 'admin') {
      return createFirewallClient({
        baseUrl: `${server}/firewall`,
        authorisation: await asAdministrator(administrator),
      })
    },
    async fetch(path, init) {
      const caller = path.startsWith('/firewall/') ? await asAdministrator('admin') : authorisation
      return createFetch({ baseUrl: server, authorisation: caller })(path, init)
    },
  }
}

/**
 * A client of the backup service: with the client credentials that were given, else for an operator. Secrets are read from files or
 * from the environment, never from the command line, where other users of the machine could see them.
 */
export function connectToBackup(options: ConnectionOptions): BackupClient {
  const access = clientAccess(options, '/backup')
  return access === undefined ? connect(options).backup : createBackupClient(access)
}

/** A client of the email service, in the same way. */
export function connectToEmail(options: ConnectionOptions): EmailClient {
  const access = clientAccess(options, '/email')
  return access === undefined ? connect(options).email : createEmailClient(access)
}

/** A user of the awareness service. */
export interface AwarenessUser {
  readonly username?: string | undefined
  readonly passwordFile?: string | undefined
  readonly apiKeyFile?: string | undefined
}

/** A client of the awareness service, which knows its own users and API keys and no operators. */
export function connectToAwareness(options: ConnectionOptions, user: AwarenessUser): AwarenessClient {
  const username = user.username ?? process.env.PALISADE_AWARENESS_USERNAME
  const password = secretOf(user.passwordFile, 'PALISADE_AWARENESS_PASSWORD')
  const apiKey = secretOf(user.apiKeyFile, 'PALISADE_AWARENESS_API_KEY')
  if (!username || !password || !apiKey) {
    throw new UsageError(
      'The awareness API asks for its own user: --username, --password-file and --api-key-file, or PALISADE_AWARENESS_USERNAME, PALISADE_AWARENESS_PASSWORD and PALISADE_AWARENESS_API_KEY.',
      exitStatus.notAllowed,
    )
  }
  const baseUrl = serviceAt(serverOf(options) ?? profileOf(options)?.server ?? localServer, '/awareness')
  return createAwarenessClient({
    baseUrl,
    authorisation: awarenessKey(baseUrl, { username, password, apiKey }),
  })
}

function clientAccess(options: ConnectionOptions, path: string): Access | undefined {
  const clientId = options.clientId ?? process.env.PALISADE_CLIENT_ID
  if (clientId === undefined) return undefined
  const clientSecret = secretOf(options.clientSecretFile, 'PALISADE_CLIENT_SECRET')
  if (!clientSecret) {
    throw new UsageError(
      'Give the secret of the client too: --client-secret-file, or PALISADE_CLIENT_SECRET.',
      exitStatus.notAllowed,
    )
  }
  const baseUrl = serviceAt(serverOf(options) ?? localServer, path)
  return { baseUrl, authorisation: clientCredentials(baseUrl, { clientId, clientSecret }) }
}

function secretOf(file: string | undefined, variable: string): string | undefined {
  return file === undefined ? process.env[variable] : readSecret(file)
}

/** Where the administration is, below the server's address. */
export const administrationPath = '/admin/v1'

/** Where a server is that was started without a configuration. */
export const localServer = 'http://127.0.0.1:8080'

/**
 * The address that the command line or the environment names, without a slash at its end.
 *
 * @throws UsageError when that is no URL
 */
export function serverOf({ server = process.env.PALISADE_SERVER }: ConnectionOptions): string | undefined {
  if (server === undefined) return undefined
  if (!/^https?:/i.test(server) || !URL.canParse(server)) {
    throw new UsageError(
      `--server must be a URL, such as ${localServer}, not ${server}.`,
      exitStatus.wrongCommandLine,
    )
  }
  return server.replace(/\/+$/, '')
}

/**
 * The login that a command uses, unless there is a token in the environment.
 *
 * @throws UsageError when there is none of the name that was given
 */
export function profileOf(options: ConnectionOptions): (Profile & { readonly name: string }) | undefined {
  const server = serverOf(options)
  const { current, profiles } = readProfiles()
  const profileName = options.profile ?? process.env.PALISADE_PROFILE
  const name = profileName ?? (server === undefined ? current : profileNameOf(server))
  const profile = name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (name === undefined || (profile === undefined && profileName === undefined)) return undefined
  if (profile === undefined) {
    throw new UsageError(
      `There is no profile ${name}. "palisade login --profile ${name} URL" makes it.`,
      exitStatus.notAllowed,
    )
  }
  if (server !== undefined && server !== profile.server) return undefined
  return { ...profile, name }
}

/** What the profile of a server is called when its user does not name it: its host and port. */
export function profileNameOf(server: string): string {
  return new URL(server).host
}

function operatorOf(options: ConnectionOptions): { server: string; token: string } {
  const token = process.env.PALISADE_TOKEN
  if (token) return { server: serverOf(options) ?? localServer, token }
  const profile = profileOf(options)
  if (profile !== undefined) return profile
  const url = serverOf(options) ?? localServer
  throw new UsageError(
    `You are not logged in to ${url}. "palisade login ${url}" logs you in.`,
    exitStatus.notAllowed,
  )
}

/** A service's base URL: what was given, with its default path where none was. */
function serviceAt(server: string, path: string): string {
  return new URL(server).pathname === '/' ? `${server}${path}` : server
}
