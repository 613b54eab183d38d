import type { IncomingMessage } from 'node:http'

/** `host` or `host:port`, with a name, an IPv4 address or an IPv6 address in brackets (RFC 3986, section 3.2.2); nothing is allowed. */
const hostPattern = /^(?:\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)(?::\d*)?$/

/** The scheme, the authority and the rest of a target in absolute form (RFC 9112, section 3.2.2). */
const absoluteForm = /^https?:\/\/([^/?#]+)([^#]*)$/i

/**
 * Makes a request say in one way which host it is for, as RFC 9112, sections 3.2 and 3.2.2, has it: one `Host` and no more, and where the
 * target is an absolute address the host in that instead. Afterwards `url` is a path with its query, or `*`, and `headers.host`
 * the host.
 *
 * @returns what is wrong with the request, a sentence for the caller; undefined when nothing is
 */
export function settleHost(request: IncomingMessage): string | undefined {
  const hosts = request.headersDistinct.host ?? []
  if (hosts.length > 1) return 'The request has more than one Host header.'
  const [host] = hosts
  if (host === undefined && request.httpVersion === '1.1') return 'The request has no Host header.'
  if (host !== undefined && !hostPattern.test(host)) return 'The Host header of the request is not a host.'
  const { url = '' } = request
  if (url.startsWith('/') || url === '*') return undefined
  const [, authority = '', rest = ''] = absoluteForm.exec(url) ?? []
  if (authority === '' || authority.startsWith(':') || !hostPattern.test(authority)) {
    return 'The target of the request is neither a path nor an address of HTTP.'
  }
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = authority
  return undefined
}
