import { headersOf } from '../../exchange/client-message.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue, headerValues } from '../../exchange/headers.ts'
import { isForwardingHeader } from '../proxies-before/forwarding-headers.ts'

/** Headers of proxies that say who a client is. Answers for one client alone are not kept in any case. */
const ofClients = /-ip$|-for$|cert|^ssl-client-|^x-ssl-client-/

/**
 * By what a kept answer is found: the address as the client sees it and as the server is asked, and what a proxy before us says of scheme, host and
 * path. Different clients may be led to different pages, and servers make links and redirects of what proxies say.
 */
export function addressOf({ isSecure, request, headers, target }: Exchange): string {
  const host = headerValue(headersOf(request), 'host')?.toLowerCase()
  const hostAtServer = headerValue(headers, 'host')?.toLowerCase()
  return JSON.stringify([isSecure, host, request.url, hostAtServer, target, ...saidByProxies(headers)])
}

function saidByProxies(headers: readonly string[]): string[] {
  const names = new Set<string>()
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index]?.toLowerCase() ?? ''
    if (isForwardingHeader(name) && !ofClients.test(name)) names.add(name)
  }
  return [...names].sort().map((name) => `${name}: ${partsOf(name, headerValues(headers, name).join(', '))}`)
}

/** Without the addresses of clients and proxies that `Forwarded` has as well (RFC 7239). */
function partsOf(name: string, value: string): string {
  return name === 'forwarded' ? (value.match(/\b(?:host|proto)=[^;,]*/gi) ?? []).join(';') : value
}
