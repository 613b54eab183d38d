import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

/** A client's request, over HTTP/1 or HTTP/2. */
export type ClientRequest = IncomingMessage | Http2ServerRequest

/** The way back to the client. */
export type ClientResponse = ServerResponse | Http2ServerResponse

/** Whether a response goes to a client over HTTP/2. */
export function isHttp2(response: ClientResponse): response is Http2ServerResponse {
  return 'stream' in response
}

/**
 * A request's headers as HTTP/1.1 has them, names and values in turn: a host in place of `:authority`, and cookies in one line
 * (RFC 9113, sections 8.2.3 and 8.3.1).
 */
export function headersOf(request: ClientRequest): readonly string[] {
  const { rawHeaders } = request
  if (!('stream' in request)) return rawHeaders
  const headers: string[] = []
  const cookies: string[] = []
  let authority: string | undefined
  let hasHost = false
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]]
    if (name === ':authority') authority = value
    if (name.startsWith(':')) continue
    if (name === 'cookie') cookies.push(value)
    else headers.push(name, value)
    hasHost ||= name === 'host'
  }
  if (authority !== undefined && !hasHost) headers.unshift('host', authority)
  if (cookies.length > 0) headers.push('cookie', cookies.join('; '))
  return headers
}

/** Whether a request has a body; `Content-Length: 0` is a body of nothing. */
export function hasBody(request: ClientRequest): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders
  const { headers } = request
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined
}

/**
 * Sends the head of an answer.
 *
 * @param headers names and values in turn, as byte strings; those of a connection are left out where HTTP/2 has none
 * @param message the reason phrase; the usual one when it is empty
 */
export function sendHead(
  response: ClientResponse,
  status: number,
  headers: readonly string[],
  message = '',
): void {
  if (isHttp2(response)) response.writeHead(status, byName(headers))
  else if (message === '') response.writeHead(status, [...headers])
  else response.writeHead(status, message, [...headers])
}

/** Sends what follows the body, except what has its place in heads. @param trailers names and values in turn */
export function sendTrailers(response: ClientResponse, trailers: readonly string[]): void {
  if (trailers.length === 0) return
  const fields = pairsOf(trailers).filter(([name]) => !forHeads.test(name))
  if (isHttp2(response)) response.addTrailers(byName(fields.flat()))
  else response.addTrailers(fields)
}

/**
 * Fields that are not taken behind a body: they frame messages, route, authenticate or control caches (RFC 9110, section 6.5.1), or are
 * changed in heads, where rules and filters look for them.
 */
const forHeads = new RegExp(
  `^(?:${[
    'connection|keep-alive|proxy-.*|transfer-encoding|te|trailer|upgrade|http2-settings|host|content-(?!digest$).*',
    'set-cookie2?|cookie|location|refresh|link|www-authenticate|authorization|clear-site-data|access-control-.*',
    'cache-control|expires|pragma|vary|age|date|last-modified|retry-after|server|x-powered-by|strict-transport-security',
  ].join('|')})$`,
  'i',
)

/** Headers about the connection; HTTP/2 does not allow them (RFC 9113, section 8.2.2). */
const ofConnections = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])

function byName(raw: readonly string[]): Record<string, string | string[]> {
  // Without what all objects have: a header may be called like that.
  const headers: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of pairsOf(raw)) {
    const lower = name.toLowerCase()
    if (ofConnections.has(lower)) continue
    const before = headers[lower]
    headers[lower] = before === undefined ? value : [before, value].flat()
  }
  return headers
}

function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) pairs.push([raw[index] ?? '', raw[index + 1] ?? ''])
  return pairs
}
