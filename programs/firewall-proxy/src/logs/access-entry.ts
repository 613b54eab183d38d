import type { LoggedEntry } from '@palisade/proxy-protocol'
import { takeParameter } from '../exchange/address.ts'
import { headersOf } from '../exchange/client-message.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { headerValue } from '../exchange/headers.ts'
import { textOfBytes } from '../exchange/text-of-bytes.ts'
import type { Masking } from './masking.ts'

/** What access and web firewall logs both say about a request, masked. */
export function requestFields(exchange: Exchange, masking: Masking): Record<string, string | number> {
  const { request, runtime, clientAddress, clientPort, localAddress, localPort } = exchange
  const url = withoutOwnParameter(exchange, exchange.decryptedTarget ?? request.url ?? '')
  const headers = headersOf(request)
  const [path = '', query] = splitOnce(url, '?')
  return {
    'client-ip': clientAddress,
    'client-port': clientPort,
    ...proxyFields(exchange),
    'service-name': runtime.service.name,
    'service-ip': localAddress,
    'service-port': localPort,
    method: request.method ?? '',
    protocol: exchange.isSecure ? 'HTTPS' : 'HTTP',
    host: textOfBytes(headerValue(headers, 'host') ?? ''),
    url: textOfBytes(masking.address(path)),
    'query-string': textOfBytes(masking.address(query ?? '')),
    'user-agent': textOfBytes(headerValue(headers, 'user-agent') ?? ''),
    ...(exchange.user === undefined ? {} : { 'authenticated-user': exchange.user.name }),
  }
}

/** The proxy before us, where it told who the client is. */
function proxyFields({ clientAddress, peerAddress, clientPort }: Exchange): Record<string, string | number> {
  return clientAddress === peerAddress ? {} : { 'proxy-ip': peerAddress, 'proxy-port': clientPort }
}

/** The country of the client by its code, where the proxy knows it, as a log calls it. */
export function countryOf(
  { runtime, clientAddress }: Exchange,
  field: 'country' | 'country-code',
): Record<string, string> {
  const country = runtime.countryOf?.(clientAddress)
  return country === undefined ? {} : { [field]: country }
}

/** The address of the page that led here, as the client says, masked. */
export function refererOf(exchange: Exchange, masking: Masking): string {
  const address = headerValue(exchange.request.rawHeaders, 'referer') ?? ''
  return textOfBytes(masking.address(withoutOwnParameter(exchange, address)))
}

function withoutOwnParameter({ ownParameter }: Exchange, address: string): string {
  return ownParameter === undefined ? address : takeParameter(address, ownParameter).rest
}

/** As syslog numbers severities. */
const information = 6

/** The entry of a request in the access log. */
export function accessEntry(exchange: Exchange, masking: Masking, now: number): LoggedEntry {
  const { request, status, server, startedAt, sentAt, answeredAt, interruption, violations } = exchange
  // What only informs, such as a header that was taken out, is nothing wrong with the request.
  const isViolated = violations.some(({ severity = 0 }) => severity < information)
  const isMatched = isViolated || (exchange.transaction?.matches.length ?? 0) > 0
  const isFromServer = server !== undefined && interruption === undefined && answeredAt !== undefined
  return {
    ...requestFields(exchange, masking),
    ...countryOf(exchange, 'country'),
    time: startedAt,
    version: `HTTP/${request.httpVersion}`,
    ...(status === undefined ? {} : { 'http-status': status }),
    referrer: refererOf(exchange, masking),
    ...(exchange.decryptedTarget === undefined
      ? {}
      : { 'encrypted-url': masking.address(request.url ?? '') }),
    cached: exchange.isFromCache ? 'Yes' : 'No',
    ...(server === undefined ? {} : { 'server-ip': server.host, 'server-port': server.port }),
    ...(sentAt === undefined || answeredAt === undefined ? {} : { 'server-time': answeredAt - sentAt }),
    'bytes-received': exchange.bytesReceived,
    'bytes-sent': exchange.bytesSent,
    'time-taken': now - startedAt,
    protected: { off: 'UNPROTECTED', passive: 'PASSIVE', active: 'PROTECTED' }[exchange.mode],
    'response-type': isFromServer ? 'SERVER' : 'INTERNAL',
    'web-firewall-matched': isMatched ? 'INVALID' : 'VALID',
  }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
