import { randomBytes } from 'node:crypto'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue } from '../../exchange/headers.ts'
import { cookiesOf, withCookies } from '../cookie-security/request-cookies.ts'

const cookieName = 'palisade_forms'

const sessionSizeBytes = 16

/** What our sessions look like: 16 bytes in base64url. */
const sessionText = /^[\w-]{22}$/

/** Over TLS its name has a prefix by which browsers take it from this host alone, and not from a neighbour (RFC 6265bis). */
function nameFor({ isSecure }: Exchange): string {
  return isSecure ? `__Host-${cookieName}` : cookieName
}

/**
 * Takes the cookie by which forms know their session out of a request.
 *
 * @returns the session; undefined where there is none, or several, of which a neighbour of the host may have planted one
 */
export function takeSession(exchange: Exchange): string | undefined {
  if (!exchange.headers.some((text, index) => index % 2 === 1 && text.includes(cookieName))) return undefined
  const cookies = cookiesOf(exchange.headers)
  const [own, ...more] = cookies.filter(({ name }) => name === nameFor(exchange))
  const others = cookies.filter(({ name }) => ![cookieName, `__Host-${cookieName}`].includes(name))
  if (others.length < cookies.length) {
    exchange.headers = withCookies(
      exchange.headers,
      others.map(({ written }) => written),
    )
  }
  return own !== undefined && more.length === 0 && sessionText.test(own.value) ? own.value : undefined
}

/** A session that nobody has yet. */
export function newSession(): string {
  return randomBytes(sessionSizeBytes).toString('base64url')
}

/** The `Set-Cookie` header by which a client gets its session. */
export function sessionCookie(exchange: Exchange, session: string): string {
  const secure = exchange.isSecure ? '; Secure' : ''
  return `${nameFor(exchange)}=${session}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** Whether a request asks for a page to look at, whose forms may be others than those that the browser has kept. */
export function asksForPage({ headers }: Exchange): boolean {
  return /text\/html|xhtml/i.test(headerValue(headers, 'accept') ?? '')
}
