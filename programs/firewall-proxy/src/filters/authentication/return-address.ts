import { pathOf } from '../../exchange/address.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue } from '../../exchange/headers.ts'

/** A longer address would make the cookie too long that remembers it. */
const lengthMax = 1_500

/**
 * Where somebody goes after he has logged in: path and query of what he asked for, at the same host. Undefined for what no person has asked
 * for by going there, such as a picture of a page, and for what cannot be gone to again.
 */
export function returnAddressOf(exchange: Exchange): string | undefined {
  if (exchange.request.method !== 'GET' || !isNavigation(exchange.headers)) return undefined
  const address = pathOf(exchange.request.url ?? '/')
  // Browsers take two slashes, or a slash and a backslash, for the beginning of a host.
  const isHere = /^\/(?![/\\])[\x21-\x7e]*$/.test(address)
  return isHere && address.length <= lengthMax ? address : undefined
}

/** Whether a browser is about to show what it asks for. */
function isNavigation(headers: readonly string[]): boolean {
  const destination = headerValue(headers, 'sec-fetch-dest')
  if (destination !== undefined) return destination === 'document'
  const accepted = headerValue(headers, 'accept') ?? '*/*'
  return accepted === '*/*' || accepted.includes('text/html')
}
