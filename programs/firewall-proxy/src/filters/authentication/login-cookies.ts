import type { SnapshotAuthentication, SnapshotService } from '@palisade/proxy-protocol'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue } from '../../exchange/headers.ts'
import { cookiesOf, withCookies } from '../cookie-security/request-cookies.ts'
import type { Filter, FilterDescriptor } from '../filter.ts'

/** Has the login of whoever asks. */
export const loginCookie = 'ps_login'

/** Has what is known of somebody who is about to log in: where he goes afterwards, and that it is his browser that began. */
export const beginningCookie = 'ps_login_begun'

/** What a request brings of both: servers do not see them. A browser may have several by one name, for different paths and domains. */
export interface LoginTokens {
  readonly logins: readonly string[]
  readonly beginnings: readonly string[]
}

const none: LoginTokens = { logins: [], beginnings: [] }

/** How many cookies by one name are looked at: each costs a decryption. */
const tokensMax = 4

const tokens = new WeakMap<Exchange, LoginTokens>()

/** Takes the cookies of logins out of requests before anything else looks at cookies. */
export const loginCookies: FilterDescriptor = {
  name: 'login-cookies',
  stage: 'arrival',
  isShared: true,
  make: loginCookiesFilter,
}

function loginCookiesFilter({ authentication }: SnapshotService): Filter | undefined {
  if (authentication === undefined) return undefined
  return {
    onRequest: (exchange) => {
      if (headerValue(exchange.headers, 'cookie') === undefined) return undefined
      const cookies = cookiesOf(exchange.headers)
      const others = cookies.filter((cookie) => !isOfLogins(cookie))
      if (others.length === cookies.length) return undefined
      const valuesOf = (name: string) =>
        cookies.filter((cookie) => cookie.name === name).map(({ value }) => value)
      tokens.set(exchange, {
        logins: valuesOf(loginCookie).slice(0, tokensMax),
        beginnings: valuesOf(beginningCookie).slice(0, tokensMax),
      })
      exchange.headers = withCookies(
        exchange.headers,
        others.map(({ written }) => written),
      )
      return undefined
    },
  }
}

function isOfLogins({ name }: { readonly name: string }): boolean {
  return name === loginCookie || name === beginningCookie
}

/** What a request brought, of which {@link loginCookies} has taken it out. */
export function loginTokensOf(exchange: Exchange): LoginTokens {
  return tokens.get(exchange) ?? none
}

/**
 * A `Set-Cookie` for the login itself. Scripts cannot read it, and requests that other sites make have it only where a person follows a
 * link.
 *
 * @param value empty to take it away
 * @param maxAgeSeconds undefined for as long as the browser runs
 */
export function loginSetCookie(
  exchange: Exchange,
  { cookieDomain, cookiePath }: Pick<SnapshotAuthentication, 'cookieDomain' | 'cookiePath'>,
  value: string,
  maxAgeSeconds: number | undefined,
): string {
  const domain = cookieDomain === undefined ? [] : [`Domain=${cookieDomain}`]
  return written(exchange, loginCookie, value, [
    `Path=${cookiePath}`,
    ...domain,
    ...maxAge(value, maxAgeSeconds),
  ])
}

/** A `Set-Cookie` for what is known of somebody who is about to log in, on this host alone. @param value empty to take it away */
export function beginningSetCookie(exchange: Exchange, value: string): string {
  return written(exchange, beginningCookie, value, ['Path=/', ...maxAge(value, undefined)])
}

function maxAge(value: string, seconds: number | undefined): string[] {
  if (value === '') return ['Max-Age=0']
  return seconds === undefined ? [] : [`Max-Age=${seconds}`]
}

function written({ isSecure }: Exchange, name: string, value: string, attributes: readonly string[]): string {
  return [
    `${name}=${value}`,
    ...attributes,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')
}
