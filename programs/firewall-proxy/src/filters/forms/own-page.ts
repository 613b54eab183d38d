import { headersOf } from '../../exchange/client-message.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue, headerValues } from '../../exchange/headers.ts'

/**
 * Whether the browser says that a page of the same origin has sent a request. No page can make a browser say otherwise of itself: the
 * first of `Sec-Fetch-Site` (Fetch Metadata), `Origin` (RFC 6454) and `Referer` that is there decides.
 */
export function isFromOwnPage(exchange: Exchange): boolean {
  const headers = headersOf(exchange.request)
  const sites = headerValues(headers, 'sec-fetch-site')
  if (sites.length > 0) return sites.every((site) => site.trim() === 'same-origin')
  const origins = headerValues(headers, 'origin')
  const pages = origins.length > 0 ? origins : headerValues(headers, 'referer')
  const host = headerValue(headers, 'host') ?? ''
  return pages.length > 0 && pages.every((page) => isOfOrigin(page, host, exchange.isSecure))
}

/** @param host as a client names it, with its port where that is not the usual one */
function isOfOrigin(page: string, host: string, isSecure: boolean): boolean {
  const url = URL.parse(page)
  // What was sent in the clear may come from anybody; but a proxy before us may have ended TLS.
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && !isSecure))) return false
  return url.host === URL.parse(`${url.protocol}//${host}`)?.host
}
