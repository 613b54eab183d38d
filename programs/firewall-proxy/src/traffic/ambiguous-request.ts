import type { ClientRequest } from '../exchange/client-message.ts'

/** A request that servers might understand otherwise than we do, and how it is refused. */
export interface Ambiguity {
  readonly status: 400 | 417 | 501 | 505
  /** A sentence for the log. */
  readonly reason: string
}

/**
 * A host with or without a port (RFC 3986, section 3.2.2): a name, or an address of IPv6 in brackets. Names in it have no commas and
 * percent signs, in which some servers see lists and encoded letters.
 */
const hostAndPort = /^(?:[\w.~!$&'()*+;=-]+|\[[\da-f:.]+\])(?::\d*)?$/i

/**
 * What Node's strict parser lets pass, and what a chain of servers could still read in two ways (RFC 9112, sections 3.2, 6
 * and 11.2), or what they expect of each other without our knowing it (RFC 9110, section 10.1.1).
 */
export function ambiguityOf(request: ClientRequest): Ambiguity | undefined {
  const { httpVersion, rawHeaders, headers, method = '', url = '' } = request
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return { status: 417, reason: 'The only Expect that is taken is 100-continue.' }
  }
  if ('stream' in request) return ambiguityOfHttp2(request)
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return { status: 505, reason: `The version HTTP/${httpVersion} is not spoken here.` }
  }
  const hosts = valuesOf(rawHeaders, 'host')
  if (hosts.length > 1) return refused('There is more than one Host header.')
  if (hosts.length === 0 && httpVersion === '1.1') return refused('There is no Host header.')
  if (!hosts.every(isHost)) return refused('The Host header names no host.')
  const codings = valuesOf(rawHeaders, 'transfer-encoding')
  if (codings.length > 0 && httpVersion === '1.0') return refused('HTTP/1.0 has no Transfer-Encoding.')
  if (codings.length > 1 || (codings[0] ?? 'chunked').trim().toLowerCase() !== 'chunked') {
    return { status: 501, reason: 'The only Transfer-Encoding that is taken is chunked.' }
  }
  if (url.includes('#')) return refused('The address has a fragment.')
  if (!url.startsWith('/') && !/^https?:\/\//i.test(url)) {
    return refused(`${method} is not taken for an address that names no resource.`)
  }
  return undefined
}

/** In HTTP/2 the frames say where a message ends; only who is asked, and for what, can be ambiguous (RFC 9113, section 8.3.1). */
function ambiguityOfHttp2({ rawHeaders, method, url }: ClientRequest): Ambiguity | undefined {
  const hosts = new Set([...valuesOf(rawHeaders, 'host'), ...valuesOf(rawHeaders, ':authority')])
  if (hosts.size > 1) return refused('The Host header and :authority are not the same.')
  if (![...hosts].every(isHost)) return refused('Neither the Host header nor :authority names a host.')
  if (url?.includes('#')) return refused('The address has a fragment.')
  if (!url?.startsWith('/')) return refused(`${method} is not taken for an address that names no resource.`)
  return undefined
}

/** @param value empty where the address has no host (RFC 9112, section 3.2) */
function isHost(value: string): boolean {
  return value === '' || hostAndPort.test(value)
}

function refused(reason: string): Ambiguity {
  return { status: 400, reason }
}

function valuesOf(rawHeaders: readonly string[], lowerName: string): string[] {
  const values: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === lowerName.length && name.toLowerCase() === lowerName)
      values.push(rawHeaders[index + 1] ?? '')
  }
  return values
}
