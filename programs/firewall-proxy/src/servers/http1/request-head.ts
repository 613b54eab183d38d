import { errors } from 'undici'
import type { ServerRequest } from '../server-connections.ts'

/** Methods with which a body is expected, so that it is said when there is none (RFC 9110, section 8.6). */
const expectBody = new Set(['POST', 'PUT', 'PATCH'])

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const notInPath = /[^\x21-\xff]/
const notInValue = /[^\t\x20-\x7e\x80-\xff]/

/** A request's head, as far as it does not depend on the connection. */
export interface RequestHead {
  /** Request line and headers as a byte string, without the empty line. */
  readonly text: string
  /** How the body is framed: as many bytes, or in chunks. */
  readonly length: number | 'chunked'
  /** The name that the client asks for, without its port; empty where it tells none. */
  readonly host: string
}

/**
 * Writes the head of a request for a server.
 *
 * @param origin the server's name or address with its port, for clients that tell no host
 * @throws errors.InvalidArgumentError when something in it would be read as something else
 */
export function requestHead(request: ServerRequest, origin: string): RequestHead {
  const { method, path, headers, body, asksForWebSocket } = request
  if (!token.test(method)) throw new errors.InvalidArgumentError('invalid request method')
  if (notInPath.test(path)) throw new errors.InvalidArgumentError('invalid request path')
  let fields = ''
  let host: string | undefined
  let declared: string | undefined
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? ''
    const value = headers[index + 1] ?? ''
    if (!token.test(name)) throw new errors.InvalidArgumentError('invalid header key')
    if (notInValue.test(value)) throw new errors.InvalidArgumentError(`invalid ${name} header`)
    if (name.length === 14 && name.toLowerCase() === 'content-length') {
      declared = value
      continue
    }
    if (name.length === 4 && name.toLowerCase() === 'host') host ??= value
    fields += `${name}: ${value}\r\n`
  }
  if (host === undefined) fields = `Host: ${origin}\r\n${fields}`
  const length = lengthOf(body, declared)
  if (length === 'chunked') fields += 'Transfer-Encoding: chunked\r\n'
  else if (length > 0 || (expectBody.has(method) && !asksForWebSocket))
    fields += `Content-Length: ${length}\r\n`
  return { text: `${method} ${path} HTTP/1.1\r\n${fields}`, length, host: nameOf(host ?? origin) }
}

/** A stream has the length that the client declared, or goes in chunks. */
function lengthOf(body: ServerRequest['body'], declared: string | undefined): number | 'chunked' {
  if (body === undefined) return 0
  if (Buffer.isBuffer(body)) return body.length
  if (declared === undefined) return 'chunked'
  const bytes = Number(declared)
  if (!/^\d+$/.test(declared) || !Number.isSafeInteger(bytes)) {
    throw new errors.InvalidArgumentError('invalid content-length header')
  }
  return bytes
}

/** Addresses of IPv6 stand in brackets. */
function nameOf(host: string): string {
  return host.startsWith('[') ? host.slice(1).replace(/\].*$/, '') : host.replace(/:\d*$/, '')
}
