import { type FailedLogins, withExample } from '@palisade/platform'
import { Type } from 'typebox'
import type { ApiKeys } from './api-keys.ts'
import { badApiKey, badCredentials } from './refusals.ts'
import type { SharedCalls } from './shared-calls.ts'
import type { Tokens } from './tokens.ts'
import type { Users } from './users.ts'

/** The body of `POST {base_url}/authenticate` (specification, "Endpoints"). */
export const AuthenticateBody = withExample(
  Type.Object(
    {
      bof_ticket_user: Type.String({ description: 'assigned username' }),
      bof_ticket_pw: Type.String({ description: 'assigned password' }),
      api_key: Type.String({ description: 'assigned API key' }),
      sso: Type.Optional(
        Type.Literal('oauth2', {
          description: 'only when single sign-on is used; the only valid value is oauth2',
        }),
      ),
      bof_sso_config_id: Type.Optional(
        Type.Integer({
          description: 'only when sso is set; the single sign-on configuration for this authentication',
        }),
      ),
    },
    { additionalProperties: false, title: 'Credentials' },
  ),
  { bof_ticket_user: 'api@example.org', bof_ticket_pw: 'example-password', api_key: 'EXAMPLE-KEY' },
)

/** What a caller says to be let in. */
export interface Credentials {
  readonly username: string
  readonly password: string
  readonly apiKey: string
  /** Whether an identity provider is to judge username and password. */
  readonly singleSignOn: boolean
}

/** The outcome of a login: the token, shown this once. */
export interface Authenticated {
  readonly accessToken: string
  readonly callsInLastHour: number
}

interface AuthenticationDependencies {
  readonly apiKeys: ApiKeys
  readonly users: Users
  readonly tokens: Tokens
  readonly calls: SharedCalls
  readonly failedLogins: FailedLogins
}

/** Turns credentials into access tokens. */
export class Authentication {
  readonly #deps: AuthenticationDependencies

  constructor(deps: AuthenticationDependencies) {
    this.#deps = deps
  }

  /**
   * Checks the key first, then username and password, and counts the call.
   *
   * @throws RequestRefused unauthenticated, or too-many-requests when the address failed too often or the user's
   *   hour is used up
   */
  async authenticate(credentials: Credentials, address: string): Promise<Authenticated> {
    const { tokens, calls, failedLogins } = this.#deps
    const { username } = credentials
    const passwordHash = await failedLogins.attempt(address, () => this.#check(credentials, address))
    const callsInLastHour = await calls.count(username)
    const accessToken = await tokens.issue(username, passwordHash, address)
    if (accessToken === undefined) throw badCredentials()
    return { accessToken, callsInLastHour }
  }

  /** @returns the hash that the password was checked against */
  async #check({ username, password, apiKey, singleSignOn }: Credentials, address: string): Promise<string> {
    const { apiKeys, users } = this.#deps
    if (!(await apiKeys.accepts(apiKey, username, address))) throw badApiKey()
    // No identity provider can be configured, so none vouches for anybody.
    if (singleSignOn) throw badCredentials()
    const passwordHash = await users.hashMatching(username, password)
    if (passwordHash === undefined) throw badCredentials()
    return passwordHash
  }
}
