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
