import {
  AddressGuard,
  type SnapshotAuthorizationPolicy,
  type SnapshotOpenIdProvider,
} from '@palisade/proxy-protocol'
import * as client from 'openid-client'
import { hostOf, withoutQuery } from '../../exchange/address.ts'
import type { Answer } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { areSameBytes } from '../same-bytes.ts'
import { type Claims, sessionFactsOf } from './claims.ts'
import { beginningSetCookie, loginTokensOf } from './login-cookies.ts'
import { ProviderUnavailable, providerFetch } from './provider-fetch.ts'
import type { PendingLogin } from './session.ts'
import type { SignIn } from './sign-in.ts'
import { redirectTo } from './sign-in-pages.ts'

const timeoutSeconds = 10

/** Keys are asked for anew when one is missing; addresses after this. */
const discoverAgainMs = 60 * 60_000

const scopesDefault = 'openid profile email'

/** With what providers may sign: everything that is not made with a secret which both know. */
const algorithms = [
  'RS256',
  'PS256',
  'ES256',
  'EdDSA',
  'Ed25519',
  'ES384',
  'ES512',
  'RS384',
  'RS512',
  'PS384',
  'PS512',
]

/** How much of what went wrong goes into a log. */
const detailMax = 200

/** What goes through the provider and back, sealed. */
interface State extends PendingLogin {
  readonly nonce: string
  /** PKCE (RFC 7636). */
  readonly verifier: string
  readonly redirectUri: string
}

/** Logins at an OpenID provider, by the authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1; RFC 9700). */
export class OpenIdLogin {
  readonly #signIn: SignIn
  readonly #provider: SnapshotOpenIdProvider
  readonly #returnPath: string
  readonly #fetch: client.CustomFetch
  #discovered: { readonly at: number; readonly client: Promise<client.Configuration> } | undefined

  constructor(signIn: SignIn, provider: SnapshotOpenIdProvider) {
    const { redirectUrl = signIn.settings.loginPath, forbidden } = signIn.settings
    this.#signIn = signIn
    this.#provider = provider
    this.#returnPath = withoutQuery(URL.canParse(redirectUrl) ? new URL(redirectUrl).pathname : redirectUrl)
    this.#fetch = providerFetch(new AddressGuard(forbidden))
  }

  /** Whether a request is that of a browser which the provider has sent back. */
  isReturn(path: string, query: URLSearchParams): boolean {
    return path === this.#returnPath && query.has('state') && (query.has('code') || query.has('error'))
  }

  /** Sends a browser to the provider. */
  async begin(exchange: Exchange, policies: readonly SnapshotAuthorizationPolicy[]): Promise<Answer> {
    const beginning = this.#signIn.beginning(exchange, policies)
    const state: State = {
      ...beginning,
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      redirectUri: this.#redirectUri(exchange),
    }
    const scope = policies.find((policy) => policy.scope !== undefined)?.scope ?? scopesDefault
    return this.#withProvider(exchange, async (configuration) => {
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: state.redirectUri,
        scope: [...new Set(['openid', ...scope.split(/[\s,]+/).filter(Boolean)])].join(' '),
        state: this.#signIn.sessions.sealedState(state),
        nonce: state.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(state.verifier),
        code_challenge_method: 'S256',
      })
      return redirectTo(url.href, [this.#signIn.beginningCookie(exchange, beginning)])
    })
  }

  /** Takes what a browser was sent back with. */
  async finish(exchange: Exchange, query: URLSearchParams): Promise<Answer> {
    const sealed = query.getAll('state')
    const state = this.#signIn.sessions.openState<State>(sealed[0] ?? '', exchange)
    const own = this.#signIn.sessions.openBeginning(loginTokensOf(exchange).beginnings, exchange)
    if (
      state === undefined ||
      sealed.length !== 1 ||
      own === undefined ||
      !areSameBytes(Buffer.from(state.id), Buffer.from(own.id))
    ) {
      return this.#signIn.failed(
        exchange,
        'The login was begun in no browser, in another one, or too long ago.',
      )
    }
    return this.#withProvider(exchange, async (configuration) => {
      const url = new URL(state.redirectUri)
      url.search = query.toString()
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        expectedState: sealed[0] ?? '',
        expectedNonce: state.nonce,
        pkceCodeVerifier: state.verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) return this.#signIn.failed(exchange, 'The provider gave no ID token.')
      const asksForMore = configuration.serverMetadata().userinfo_endpoint !== undefined
      const more = asksForMore
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
      const facts = sessionFactsOf({ ...more, ...claims } as Claims, this.#signIn.settings)
      const { persistentSeconds } = state
      const persistent = persistentSeconds === undefined ? {} : { persistentSeconds }
      return this.#signIn.letIn(exchange, { ...facts, ...persistent }, state.returnTo)
    })
  }

  /** Does something with the provider; what is wrong with it is told in the log, and to the person what to do. */
  async #withProvider(
    exchange: Exchange,
    work: (configuration: client.Configuration) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await work(await this.#client(exchange.runtime.now()))
    } catch (error) {
      const away = awayIn(error)
      if (away !== undefined) return this.#signIn.unavailable(exchange, away)
      const { name, message } = error as Error
      const answer = this.#signIn.failed(
        exchange,
        `The provider let nobody in (${name}): ${message.slice(0, detailMax)}.`,
      )
      return { ...answer, cookies: [beginningSetCookie(exchange, '')] }
    }
  }

  #client(now: number): Promise<client.Configuration> {
    const discovered = this.#discovered
    if (discovered !== undefined && now - discovered.at < discoverAgainMs) return discovered.client
    const newClient = this.#make()
    this.#discovered = { at: now, client: newClient }
    newClient.catch(() => {
      if (this.#discovered?.client === newClient) this.#discovered = undefined
    })
    return newClient
  }

  async #make(): Promise<client.Configuration> {
    const { endpoints, metadataUrl, issuer, clientId, clientSecret } = this.#provider
    const configuration =
      endpoints === 'discovered' && metadataUrl !== undefined
        ? await this.#discover(metadataUrl)
        : new client.Configuration(this.#givenMetadata(), clientId, undefined, secretIn(clientSecret))
    if (configuration.serverMetadata().issuer !== issuer) {
      throw new Error('the provider calls itself otherwise than openidc-issuer says')
    }
    configuration[client.customFetch] = this.#fetch
    configuration.timeout = timeoutSeconds
    client.enableNonRepudiationChecks(configuration)
    if (this.#isUnencrypted()) client.allowInsecureRequests(configuration)
    return configuration
  }

  #discover(metadataUrl: string): Promise<client.Configuration> {
    const { clientId, clientSecret } = this.#provider
    return client.discovery(new URL(metadataUrl), clientId, undefined, secretIn(clientSecret), {
      [client.customFetch]: this.#fetch,
      timeout: timeoutSeconds,
      execute: this.#isUnencrypted() ? [client.allowInsecureRequests] : [],
    })
  }

  #givenMetadata(): client.ServerMetadata {
    const { issuer, authorizationEndpoint, tokenEndpoint, keysUrl, userInfoEndpoint } = this.#provider
    return {
      issuer,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
      jwks_uri: keysUrl,
      id_token_signing_alg_values_supported: algorithms,
      ...(userInfoEndpoint === undefined ? {} : { userinfo_endpoint: userInfoEndpoint }),
    }
  }

  /** Whether an administrator has given addresses without TLS. */
  #isUnencrypted(): boolean {
    const { issuer, metadataUrl = '', tokenEndpoint } = this.#provider
    return [issuer, metadataUrl, tokenEndpoint].some((url) => url.startsWith('http:'))
  }

  #redirectUri(exchange: Exchange): string {
    const { redirectUrl } = this.#signIn.settings
    if (redirectUrl !== undefined && URL.canParse(redirectUrl)) return redirectUrl
    return `http${exchange.isSecure ? 's' : ''}://${hostOf(exchange)}${this.#returnPath}`
  }
}

/** Sends the client secret in the header, as providers take it unless they say otherwise (OpenID Connect Core 1.0, section 9). */
function secretIn(secret: string): client.ClientAuth {
  const [inHeader, inBody] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    const send = methods.includes('client_secret_basic') ? inHeader : inBody
    send(server, ...rest)
  }
}

/** Why a provider cannot be asked, where that is what an error comes from: a sentence. */
function awayIn(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderUnavailable) return cause.message
    if (cause.name === 'TimeoutError' || cause.name === 'AddressForbidden') {
      return `The provider cannot be reached: ${cause.name}.`
    }
  }
  return undefined
}
