import { createRemoteJWKSet, customFetch, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { providerFetch } from './provider-fetch.ts'

/** What a provider sends when somebody has logged out there (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
export interface LogoutToken {
  readonly issuer: string
  /** Whose sessions end; undefined where `sid` alone says which. */
  readonly subject: string | undefined
  /** The session at the provider that has ended; undefined for all of the subject. */
  readonly sid: string | undefined
  /** Which the provider gives no other token. */
  readonly id: string
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Nobody but the provider has a key for these; `none` is not among them, nor what the client secret would sign. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** For this long after it was issued a token is taken, so that its id need not be remembered for longer. */
export const tokenAgeMaxSeconds = 600
const toleranceSeconds = 60

/** The keys of a provider, asked for when one is missing. */
export function keysOf(jwksUri: string, fetch: ReturnType<typeof providerFetch>): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUri), {
    [customFetch]: (url, { headers, method, signal }) =>
      fetch(url, {
        method,
        headers: Object.fromEntries(headers),
        body: undefined,
        redirect: 'manual',
        signal,
      }),
  })
}

/**
 * Reads a logout token as section 2.6 says: signature, issuer, audience and time as of an ID token, the event of a logout, an id, whom it is
 * about, and no nonce, so that no ID token is taken for one.
 *
 * @throws Error that says what is wrong, without the token
 */
export async function readLogoutToken(
  token: string,
  {
    keys,
    issuer,
    clientId,
  }: { readonly keys: JWTVerifyGetKey; readonly issuer: string; readonly clientId: string },
): Promise<LogoutToken> {
  const { payload } = await jwtVerify(token, keys, {
    algorithms,
    issuer,
    audience: clientId,
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
    maxTokenAge: tokenAgeMaxSeconds,
    clockTolerance: toleranceSeconds,
  })
  if (payload.nonce !== undefined) throw new Error('it has a nonce, which is for ID tokens')
  if (!isLogout(payload)) throw new Error('its events are no logout')
  const [id, subject, sid] = [textOf(payload, 'jti'), textOf(payload, 'sub'), textOf(payload, 'sid')]
  if (id === undefined) throw new Error('its jti is no text')
  if (subject === undefined && sid === undefined) throw new Error('it has neither sub nor sid')
  return { issuer, subject, sid, id }
}

function isLogout({ events }: JWTPayload): boolean {
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, logoutEvent)) return false
  const event: unknown = Reflect.get(events, logoutEvent)
  return typeof event === 'object' && event !== null && !Array.isArray(event)
}

/** @throws Error for a claim that is anything else, which is not read as one that is not there */
function textOf(payload: JWTPayload, claim: string): string | undefined {
  const value = payload[claim]
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`its ${claim} is no text`)
}
