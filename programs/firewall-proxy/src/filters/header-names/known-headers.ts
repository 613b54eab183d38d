import { isHopByHop } from '../../exchange/headers.ts'
import { isForwardingHeader } from '../proxies-before/forwarding-headers.ts'

/** Headers with several words that say how a request is read or answered, or by which the rules judge it; besides those of connections. */
const ofRequests: ReadonlySet<string> = new Set([
  'accept-charset',
  'accept-datetime',
  'accept-encoding',
  'accept-language',
  'access-control-request-headers',
  'access-control-request-method',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'max-forwards',
  'proxy-authorization',
  'request-range',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'sec-websocket-version',
  'user-agent',
  'x-file-name',
  'x-filename',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-request-id',
  'x-up-devcap-post-charset',
])

/** Whether the proxy sets, removes or reads a header, or rules look at it. @param lowerName in lower case */
export function isKnownHeader(lowerName: string): boolean {
  return ofRequests.has(lowerName) || isHopByHop(lowerName) || isForwardingHeader(lowerName)
}
