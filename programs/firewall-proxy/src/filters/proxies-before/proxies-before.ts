import { isIPv6 } from 'node:net'
import type { SnapshotService } from '@palisade/proxy-protocol'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue } from '../../exchange/headers.ts'
import { ExceptionClients } from '../../slow-clients/exception-clients.ts'
import type { Filter, FilterDescriptor } from '../filter.ts'
import { isForwardingHeader } from './forwarding-headers.ts'

/**
 * Tells the server who the client is and how it came: `X-Real-IP`, `X-Forwarded-Proto` and `X-Forwarded-Host`; `X-Forwarded-For` gets its
 * last address when the request is sent. What the client itself says in such headers is taken out, unless it is one of the proxies that
 * are named for the service. `Proxy` is taken out in any case: programs that turn headers into environment variables would send their own
 * requests there (CVE-2016-5385).
 *
 * Rules and conditions of access see the headers as they came. Rewriting sees, and may change, what is said here.
 */
export const proxiesBefore: FilterDescriptor = {
  name: 'proxies-before',
  stage: 'arrival',
  isShared: true,
  make: proxiesBeforeFilter,
}

function proxiesBeforeFilter({ checks, trustedProxies }: SnapshotService): Filter {
  const proxies = new ExceptionClients(trustedProxies ?? [])
  const ownHeader = trustedProxies === undefined ? undefined : checks?.clientAddressHeader
  return {
    onJudged: (exchange) => {
      const isProxy = proxies.has(exchange.peerAddress)
      const drops = (name: string) =>
        name === 'proxy' || (!isProxy && (name === ownHeader || isForwardingHeader(name)))
      const headers = withoutHeaders(exchange.headers, drops)
      if (isProxy) addForwarded(headers, exchange)
      else if (exchange.clientAddress !== exchange.peerAddress) {
        headers.push('X-Forwarded-For', exchange.clientAddress)
      }
      for (const [name, value] of factsOf(exchange)) {
        if (value !== undefined && headerValue(headers, name.toLowerCase()) === undefined)
          headers.push(name, value)
      }
      exchange.headers = headers
      return undefined
    },
  }
}

/** @param drops asked for each name in lower case */
function withoutHeaders(headers: readonly string[], drops: (lowerName: string) => boolean): string[] {
  const headersLeft: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (!drops(name.toLowerCase())) headersLeft.push(name, headers[index + 1] ?? '')
  }
  return headersLeft
}

function factsOf(exchange: Exchange): readonly (readonly [name: string, value: string | undefined])[] {
  return [
    ['X-Real-IP', exchange.clientAddress],
    ['X-Forwarded-Proto', schemeOf(exchange)],
    ['X-Forwarded-Host', headerValue(exchange.headers, 'host')],
  ]
}

function schemeOf({ isSecure }: Exchange): 'http' | 'https' {
  return isSecure ? 'https' : 'http'
}

/** Goes on with a `Forwarded` that a proxy has begun (RFC 7239, section 4): an IPv6 address is in brackets and quoted. */
function addForwarded(headers: string[], exchange: Exchange): void {
  if (headerValue(headers, 'forwarded') === undefined) return
  const { peerAddress } = exchange
  const node = isIPv6(peerAddress) ? `"[${peerAddress}]"` : peerAddress
  headers.push('Forwarded', `for=${node};proto=${schemeOf(exchange)}`)
}
