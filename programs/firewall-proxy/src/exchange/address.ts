import { headerValue } from './headers.ts'

/** An address with what cannot stand in one percent-encoded. @param url a text, no bytes */
export function encodedAddress(url: string): string {
  return url.replace(/[^\x21-\x7e]/gu, (sign) => encodeURIComponent(sign))
}

/** The path and query of a request's address, which may come with scheme and host. */
export function pathOf(url: string): string {
  if (url.startsWith('/')) return url
  const [, path = ''] = /^https?:\/\/[^/?]*(.*)$/i.exec(url) ?? [url, url]
  return path.startsWith('/') ? path : `/${path}`
}

/**
 * The host that a request names, with its port if it names one; empty without any. A dot at its end means the same host, and is left
 * out.
 */
export function hostOf({ headers }: { readonly headers: readonly string[] }): string {
  return headerValue(headers, 'host')?.replace(/\.(?=(?::\d*)?$)/, '') ?? ''
}

/** The host of a `Host` header; of an IPv6 address the brackets stay. */
export function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '')
}

/** Everything of a request target before the first `?`. */
export function withoutQuery(target: string): string {
  const end = target.indexOf('?')
  return end < 0 ? target : target.slice(0, end)
}

/**
 * An address without the parameters of one name; the "?" goes with the last parameter.
 *
 * @param name in letters that need no encoding
 * @returns it with the values that were taken out, as they were written
 */
export function takeParameter(
  address: string,
  name: string,
): { readonly rest: string; readonly values: readonly string[] } {
  const start = `${name}=`
  const [, path = '', query, fragment = ''] = /^([^?#]*)\?([^#]*)(.*)$/s.exec(address) ?? []
  if (!query?.includes(start)) return { rest: address, values: [] }
  const parts = query.split('&')
  const otherParts = parts.filter((part) => !part.startsWith(start))
  const values = parts.filter((part) => part.startsWith(start)).map((part) => part.slice(start.length))
  return { rest: path + (otherParts.length === 0 ? '' : `?${otherParts.join('&')}`) + fragment, values }
}
