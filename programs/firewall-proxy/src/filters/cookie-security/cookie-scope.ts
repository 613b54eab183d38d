import { hostOf } from '../../exchange/address.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { attributeOf, type SetCookie } from '../../exchange/set-cookie.ts'

/** Parent domains of a host that are looked at. */
const domainsMax = 8

/**
 * The hosts for which a cookie is good, whatever their port: `shop.example` for one host, `.example` with its subdomains where the cookie has
 * a domain (RFC 6265, section 5.2.3).
 */
export function scopeOf(cookie: SetCookie, exchange: Exchange): string {
  const domain = attributeOf(cookie, 'domain')?.replace(/^\./, '').toLowerCase() ?? ''
  return domain === '' ? hostWithoutPort(exchange) : `.${domain}`
}

/** All scopes of cookies that a browser sends to the host of a request. */
export function scopesFor(exchange: Exchange): string[] {
  const host = hostWithoutPort(exchange)
  const labels = host.split('.')
  return [host, ...labels.slice(-domainsMax).map((_, index, last) => `.${last.slice(index).join('.')}`)]
}

function hostWithoutPort(exchange: Exchange): string {
  return hostOf(exchange).toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
