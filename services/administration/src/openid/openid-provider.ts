import type { Clock } from '@palisade/platform'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import type { OpenIdProviderConfiguration } from '../sign-in-configuration.ts'
import { type Claims, textClaim } from './claim-grants.ts'
import { keysOf, type LogoutToken, readLogoutToken } from './logout-token.ts'
import { providerFetch } from './provider-fetch.ts'

const timeoutSeconds = 10
/** Keys are asked for anew when one is missing; addresses and algorithms after this. */
const discoverAgainMs = 60 * 60_000

/** What ties an answer of the provider to the browser that has begun. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  /** PKCE (RFC 7636). */
  readonly codeVerifier: string
}

/** Somebody whom a provider has let in. */
export interface SignedIn {
  readonly issuer: string
  readonly subject: string
  readonly claims: Claims
  readonly idToken: string
  /** His session at the provider; undefined where the provider does not tell it. */
  readonly sid: string | undefined
}

/**
 * One provider of OpenID Connect, by the authorisation code flow with PKCE (OpenID Connect Core 1.0, section 3.1; RFC 9700).
 *
 * Its methods reject when the provider cannot be reached, or says what must not be believed.
 */
export class OpenIdProvider {
  readonly configuration: OpenIdProviderConfiguration
  /** Where browsers find this server, such as "https://palisade.example.org". */
  readonly origin: string
  readonly #secret: string
  readonly #authorities: readonly string[]
  readonly #redirectUri: string
  readonly #clock: Clock
  #keys: { readonly jwksUri: string; readonly keys: ReturnType<typeof keysOf> } | undefined
  #discovered: { readonly at: number; readonly client: Promise<Configuration> } | undefined

  /** @param deps.redirectUri where the provider sends browsers back, which is registered there */
  constructor(deps: {
    configuration: OpenIdProviderConfiguration
    secret: string
    authorities: readonly string[]
    redirectUri: string
    clock: Clock
  }) {
    this.configuration = deps.configuration
    this.#secret = deps.secret
    this.#authorities = deps.authorities
    this.#redirectUri = deps.redirectUri
    this.origin = new URL(deps.redirectUri).origin
    this.#clock = deps.clock
  }

  /** The address to send a browser to. */
  async authorisationUrl({ state, nonce, codeVerifier }: SignInChecks): Promise<URL> {
    return buildAuthorizationUrl(await this.#client(), {
      redirect_uri: this.#redirectUri,
      scope: [...new Set(['openid', ...this.configuration.scopes])].join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    })
  }

  /**
   * Takes what a browser was sent back with: checks the issuer (RFC 9207) and the state, exchanges the code, and checks signature, issuer,
   * audience, time and nonce of the ID token.
   *
   * @param query of the address that the browser was sent back to
   */
  async finish(query: string, { state, nonce, codeVerifier }: SignInChecks): Promise<SignedIn> {
    const client = await this.#client()
    const url = new URL(this.#redirectUri)
    url.search = query
    const tokens = await authorizationCodeGrant(client, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined || tokens.id_token === undefined) throw new Error('no ID token came')
    const userInfo =
      client.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await fetchUserInfo(client, tokens.access_token, claims.sub)
    return {
      issuer: claims.iss,
      subject: claims.sub,
      claims: { ...userInfo, ...claims },
      idToken: tokens.id_token,
      sid: textClaim(claims, 'sid'),
    }
  }

  /**
   * Where a browser logs out at the provider (OpenID Connect RP-Initiated Logout 1.0).
   *
   * @returns undefined where the provider has no such address
   */
  async logoutUrl(idToken: string): Promise<string | undefined> {
    const client = await this.#client()
    if (client.serverMetadata().end_session_endpoint === undefined) return undefined
    return buildEndSessionUrl(client, { id_token_hint: idToken }).href
  }

  /** What the provider says with a token when somebody has logged out there. */
  async logoutToken(token: string): Promise<LogoutToken> {
    const client = await this.#client()
    const { issuer, jwks_uri: jwksUri } = client.serverMetadata()
    if (jwksUri === undefined) throw new Error('the provider has no keys')
    if (this.#keys?.jwksUri !== jwksUri) {
      this.#keys = { jwksUri, keys: keysOf(jwksUri, providerFetch(this.#authorities)) }
    }
    return readLogoutToken(token, { keys: this.#keys.keys, issuer, clientId: this.configuration.clientId })
  }

  /** Discovers the provider where that was not done within the hour; what fails is tried again with the next call. */
  #client(): Promise<Configuration> {
    const now = this.#clock.now()
    const discovered = this.#discovered
    if (discovered !== undefined && now - discovered.at < discoverAgainMs) return discovered.client
    const { issuer, clientId } = this.configuration
    const client = discovery(new URL(issuer), clientId, undefined, secretIn(this.#secret), {
      [customFetch]: providerFetch(this.#authorities),
      timeout: timeoutSeconds,
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
    })
    this.#discovered = { at: now, client }
    client.catch(() => {
      if (this.#discovered?.client === client) this.#discovered = undefined
    })
    return client
  }
}

/** Sends the client secret in the header, as providers take it unless they say otherwise (OpenID Connect Core 1.0, section 9). */
function secretIn(secret: string): ClientAuth {
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    const send = methods.includes('client_secret_basic') ? inHeader : inBody
    send(server, ...rest)
  }
}
