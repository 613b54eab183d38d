import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

/** What the token endpoint answers. */
export interface TokenAnswer {
  readonly id_token: string
  readonly [member: string]: unknown
}

/** A provider of OpenID Connect on loopback, whose people sign in without being asked for anything. */
export interface TestProvider {
  readonly issuer: string
  /** Who sits at the browser. */
  person: string
  /** What it says of its people. */
  readonly claims: Map<string, Readonly<Record<string, unknown>>>
  /** Where the client really is, such as http://127.0.0.1:1234. */
  toldAt: string
  /** Has somebody log out at the provider, which tells the client; rejects when that does not take it. */
  logOut(subject: string, sid: string): Promise<void>
  /** Changes what the token endpoint answers. */
  tamper: ((answer: TokenAnswer) => Promise<TokenAnswer>) | undefined
  /** Signs an ID token with the provider's key. */
  sign(claims: JWTPayload): Promise<string>
  /** Signs an ID token with a key of nobody. */
  forge(claims: JWTPayload): Promise<string>
  close(): Promise<void>
}

/** An ID token without a signature: `alg` is `none`. */
export function unsigned(claims: JWTPayload): string {
  return new UnsecuredJWT(claims).encode()
}

/** Starts a provider with one client, `palisade`. */
export async function startProvider(client: {
  readonly secret: string
  readonly redirectUris: readonly string[]
  /** Where it tells that somebody has logged out. */
  readonly logoutUri: string
}): Promise<TestProvider> {
  let serve: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server = createServer((request, response) => serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const foreign = await generateKeyPair('RS256')
  const header = { alg: 'RS256', kid: 'key' }
  const configuration: Configuration = {
    clients: [
      {
        client_id: 'palisade',
        client_secret: client.secret,
        redirect_uris: [...client.redirectUris],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        backchannel_logout_uri: client.logoutUri,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'key', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of the tests'] },
    scopes: ['openid', 'profile', 'groups'],
    claims: { profile: ['name', 'preferred_username', 'email'], groups: ['groups', 'realm_access'] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
    // The client is registered where browsers find it, which is elsewhere in tests; the provider's own way leads to no loopback.
    fetch: (url, { method = 'GET', headers = {}, body = null } = {}) =>
      fetch(provider.toldAt + new URL(url).pathname, { method, headers, body }),
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...provider.claims.get(accountId) }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile groups')
      await grant.save()
      return grant
    },
  }
  const oidc = new Provider(issuer, configuration)
  oidc.use(async (context, next) => {
    await next()
    if (context.path === '/token' && context.status === 200 && provider.tamper !== undefined) {
      context.body = await provider.tamper(context.body as TokenAnswer)
    }
  })
  const handle = oidc.callback()
  serve = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      handle(request, response)
      return
    }
    void oidc.interactionFinished(request, response, { login: { accountId: provider.person } })
  }
  const provider: TestProvider = {
    issuer,
    person: 'nobody',
    claims: new Map(),
    tamper: undefined,
    toldAt: '',
    logOut: async (subject, sid) => {
      const registered = await oidc.Client.find('palisade')
      const tell = registered?.backchannelLogout
      if (typeof tell !== 'function') throw new Error('the provider tells nobody of logouts')
      await tell.call(registered, subject, sid)
    },
    sign: (claims) => new SignJWT(claims).setProtectedHeader(header).sign(privateKey),
    forge: (claims) => new SignJWT(claims).setProtectedHeader(header).sign(foreign.privateKey),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return provider
}
